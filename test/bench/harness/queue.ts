import type { Api } from "./api.ts";

/** Jobs of the Embedding queue that wait or run, as the observer's table says. */
export async function embeddingJobs(api: Api): Promise<number> {
  const { status } = await api.get<{ status: string }>("/api/v1/observer/queue");
  const [, pending, inProgress] = status
    .split("\n")
    .map((row) => row.split("\t"))
    .find(([name]) => name === "Embedding")!;
  return Number(pending) + Number(inProgress);
}
