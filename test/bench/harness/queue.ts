import type { Api } from "./api.ts";

/** Returns the number of waiting and running Embedding jobs from the observer's table. */
export async function embeddingJobs(api: Api): Promise<number> {
  const { status } = await api.get<{ status: string }>("/api/v1/observer/queue");
  const [, pending, inProgress] = status
    .split("\n")
    .map((row) => row.split("\t"))
    .find(([name]) => name === "Embedding")!;
  return Number(pending) + Number(inProgress);
}
