import { type ComponentStatus, NO_SUM, table } from "./component.ts";

const HEADER = ["Model", "Provider", "Prompt", "Completion", "Total", "Last Updated"];

/** GET observer/vlm: tokens by language model. No language model is called, so there is the sum alone (ruling O2). */
export function getVlm(): ComponentStatus {
  return { name: "vlm", isHealthy: true, hasErrors: false, status: table(HEADER, ["TOTAL", NO_SUM, 0, 0, 0, NO_SUM]) };
}
