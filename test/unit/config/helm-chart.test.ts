import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";
import { sha256 } from "../../../src/base/sha256.ts";
import { configFrom } from "../../../src/config/config.ts";

const run = promisify(execFile);
const CHART = fileURLToPath(new URL("../../../deploy/helm/ctxdb", import.meta.url));
/** Where scripts/helm-tools.sh installs Helm, and kubernetes-validate with the schemas of Kubernetes. */
const TOOLS = join(homedir(), ".cache/ctxdb-clients/helm-v3.22.0");
const HELM = join(TOOLS, "helm");
const PYTHON = join(TOOLS, "python");
const REQUIRED = ["--set", "existingSecret=keys", "--set", "objects.url=s3://contents/ctxdb"];
const ALL = [
  ...["ingress.enabled=true", "ingress.hosts[0].host=ctxdb.example.com", "ingress.className=nginx"],
  ...["ingress.tls[0].secretName=tls", "ingress.tls[0].hosts[0]=ctxdb.example.com"],
  ...["networkPolicy.from[0].namespaceSelector.matchLabels.team=agents", "persistence.storageClass=fast"],
  ...["settings.CTXDB_RESTORE_DAYS=14", "settingsSecrets[0]=models", "imagePullSecrets[0].name=registry"],
  ...["objects.endpoint=https://s3.example.com", "nodeSelector.disk=ssd", "priorityClassName=high"],
].flatMap((value) => ["--set", value]);

const hasHelm = existsSync(HELM) && existsSync(PYTHON);
if (!hasHelm)
  process.stderr.write(
    "Helm is not installed: the chart is not checked (scripts/helm-tools.sh installs it)\n",
  );

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Record<string, unknown>;
  readonly data?: Record<string, string>;
}

async function template(...args: string[]): Promise<{ readonly text: string; readonly all: Manifest[] }> {
  const { stdout } = await run(HELM, ["template", "site", CHART, "--kube-version", "1.31.0", ...args]);
  return { text: stdout, all: parseAllDocuments(stdout).map((one) => one.toJS() as Manifest) };
}

const refusal = (...args: string[]) =>
  template(...args).then(
    () => "",
    (error: { stderr?: string }) => error.stderr ?? "",
  );

describe.runIf(hasHelm)("the Helm chart", () => {
  it("the chart passes Helm's own checks", () => {
    expect(execFileSync(HELM, ["lint", "--strict", CHART, ...REQUIRED]).toString()).toContain(
      "0 chart(s) failed",
    );
  });

  it.each([
    ["the fewest settings", "Kubernetes 1.37", "1.37", [], 7],
    ["all settings", "Kubernetes 1.25", "1.25", ALL, 8],
  ])("the manifests of the Helm chart with %s are valid in %s", async (_, __, version, args, count) => {
    const folder = await mkdtemp(join(tmpdir(), "ctxdb-helm-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "all.yaml");
    const { text } = await template(...REQUIRED, ...args);
    await writeFile(path, text);
    const validate = ["-m", "kubernetes_validate", "--strict", "-k", version, path];
    const { stdout, stderr } = await run("python3", validate, {
      env: { ...process.env, PYTHONPATH: PYTHON },
    });
    expect(`${stdout}${stderr}`.match(/ passed for resource /g)).toHaveLength(count);
  });

  it("each server of the Helm chart starts with its settings and is reached under the name of its pod", async () => {
    const { all } = await template(...REQUIRED, ...ALL);
    const { spec } = all.find(({ kind }) => kind === "StatefulSet") ?? {};
    const set = spec as { serviceName: string; template: { spec: { containers: Container[] } } } | undefined;
    const own = set?.template.spec.containers[0]?.env ?? [];
    const settings = all.find(({ kind }) => kind === "ConfigMap")?.data ?? {};
    const secret = { CTXDB_ROOT_API_KEY: sha256("a"), CTXDB_STORE: "postgres://u:p@db/ctxdb" };
    const keys = { CTXDB_OBJECTS_ACCESS_KEY: "a", CTXDB_OBJECTS_SECRET_KEY: "s" };
    const named = own.flatMap(({ name, valueFrom }) => (valueFrom?.secretKeyRef ? [name] : []));
    expect(named.sort()).toEqual(Object.keys({ ...secret, ...keys }).sort());
    const peer = own
      .find(({ name }) => name === "CTXDB_PEER_URL")
      ?.value?.replace("$(POD_NAME)", "site-ctxdb-0");
    const { store } = configFrom(
      { ...settings, ...secret, ...keys, CTXDB_PEER_URL: peer ?? "", CTXDB_HOST: "0.0.0.0" },
      { folder: "/app", read: () => undefined },
    );
    expect(store).toMatchObject({
      memberUrl: "http://site-ctxdb-0.site-ctxdb-members.default.svc:1933",
      retentionMs: 14 * 86_400_000,
      objects: { bucket: "contents", prefix: "ctxdb/", endpoint: "https://s3.example.com" },
    });
    const services = all.filter(({ kind }) => kind === "Service").map(({ metadata }) => metadata.name);
    expect(services).toEqual(["site-ctxdb", "site-ctxdb-members"]);
    expect(set?.serviceName).toBe("site-ctxdb-members");
  });

  it("Helm values that are missing, unknown or would break a server are refused with the reason", async () => {
    expect(await refusal()).toContain("is required");
    expect(await refusal(...REQUIRED, "--set", "replicas=0")).toContain("replicas");
    expect(await refusal(...REQUIRED, "--set", "replica=2")).toContain("replica");
    expect(await refusal(...REQUIRED, "--set", "settings.CTXDB_STORE=x")).toContain("CTXDB_STORE");
    expect(await refusal(...REQUIRED, "--set", "objects.url=https://b")).toContain("objects");
  });
});

interface Container {
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: object };
  }[];
}
