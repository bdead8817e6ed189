import type { ServiceCall } from "../service-call.ts";
import { type ComponentStatus, NO_SUM, type ObserverDeps, seesServer, table } from "./component.ts";

const HEADER = ["Model", "Provider", "Prompt", "Completion", "Total", "Last Updated"];

/** GET observer/vlm: tokens by model, including embedding models, across restarts. */
export async function getVlm(
  { tenants, ledger }: Pick<ObserverDeps, "tenants" | "ledger">,
  call: ServiceCall,
): Promise<ComponentStatus> {
  const models = ledger.models(
    seesServer(call) ? "server" : (await tenants.openOrEmpty(call.caller)).workspace.incarnation,
  );
  const rows = models.map(({ model, provider, prompt, completion, updatedAt }) => [
    model,
    provider,
    prompt,
    completion,
    prompt + completion,
    new Date(updatedAt).toISOString(),
  ]);
  const prompt = models.reduce((sum, one) => sum + one.prompt, 0);
  const completion = models.reduce((sum, one) => sum + one.completion, 0);
  const total = ["TOTAL", NO_SUM, prompt, completion, prompt + completion, NO_SUM];
  return { name: "vlm", isHealthy: true, hasErrors: false, status: table(HEADER, ...rows, total) };
}
