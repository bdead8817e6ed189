import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { S3Client, type S3Options } from "../../src/storage/s3/s3-client.ts";
import { silentLog } from "./silent-log.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { startTied } from "./tied-process.ts";

/** S3Proxy over a folder, as published on Maven Central; `.ci/run` downloads it. */
const VERSION = "2.7.0";
const JAR = join(
  homedir(),
  `.m2/repository/org/gaul/s3proxy/${VERSION}/s3proxy-${VERSION}-jar-with-dependencies.jar`,
);
const ARTIFACT = `org.gaul:s3proxy:${VERSION}:jar:jar-with-dependencies`;
/** Little memory, and a quick start instead of the best speed. */
const JVM = ["-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
const BUCKET = "contents";
const ACCESS_KEY = "tester";
const SECRET_KEY = "secret-of-the-tester";

/** Without an S3 server its suites fail in CI; elsewhere they are skipped with a message. */
export const hasS3 = existsSync(JAR) || process.env.CI !== undefined;
if (!hasS3)
  process.stderr.write(`no S3 server: its suites are skipped (mvn dependency:get -Dartifact=${ARTIFACT})\n`);

export interface S3Server {
  /** Creates a bucket and returns its settings. */
  settings(prefix: string): Readonly<Record<string, string>>;
  client(other?: Partial<S3Options>): S3Client;
  /** Returns the folder with the objects of a prefix. */
  folder(prefix: string): string;
  stop(): Promise<void>;
}

export async function startS3(): Promise<S3Server> {
  const folder = await temporaryFolder();
  const server = await startS3In(folder.path);
  return { ...server, stop: () => server.stop().then(folder.remove) };
}

/** As `startS3`, with a folder that stays, and that may have objects of before. */
export async function startS3In(folder: string): Promise<S3Server> {
  if (!existsSync(JAR)) throw new Error(`there is no S3 server: mvn dependency:get -Dartifact=${ARTIFACT}`);
  const data = join(folder, "data");
  await mkdir(join(data, BUCKET), { recursive: true });
  const properties = {
    "s3proxy.endpoint": "http://127.0.0.1:0",
    "s3proxy.authorization": "aws-v4",
    "s3proxy.identity": ACCESS_KEY,
    "s3proxy.credential": SECRET_KEY,
    "jclouds.provider": "filesystem-nio2",
    "jclouds.filesystem.basedir": data,
    "jclouds.identity": "none",
    "jclouds.credential": "none",
  };
  const path = join(folder, "s3proxy.properties");
  await writeFile(
    path,
    Object.entries(properties)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const args = [...JVM, "-jar", JAR, "--properties", path];
  const server = startTied({ program: "java", args, endBy: "KILL" }, "pipe");
  const endpoint = `http://127.0.0.1:${await portOf(server)}`;
  const keys = { accessKey: ACCESS_KEY, secretKey: SECRET_KEY };
  return {
    settings: (prefix) => ({
      CTXDB_OBJECTS: `s3://${BUCKET}/${prefix}`,
      CTXDB_OBJECTS_ENDPOINT: endpoint,
      CTXDB_OBJECTS_ACCESS_KEY: ACCESS_KEY,
      CTXDB_OBJECTS_SECRET_KEY: SECRET_KEY,
    }),
    client: (other) =>
      new S3Client({ endpoint, region: "us-east-1", bucket: BUCKET, ...keys, log: silentLog, ...other }),
    folder: (prefix) => join(data, BUCKET, prefix),
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
    },
  };
}

/** Returns the port that the server reports. */
async function portOf(server: ChildProcessByStdio<null, Readable, Readable>): Promise<number> {
  let output = "";
  const port = () => /Started ServerConnector.*\{127\.0\.0\.1:(\d+)\}/.exec(output)?.[1];
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  while (port() === undefined) {
    if (server.exitCode !== null) throw new Error(`the S3 server has ended: ${output}`);
    await Promise.race([once(server.stdout, "data"), once(server.stderr, "data"), once(server, "exit")]);
  }
  return Number(port());
}
