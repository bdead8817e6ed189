import { useQuery } from "@tanstack/react-query";
import { client } from "./client.ts";

/** The server's status and the caller's identity. */
export function useStatus() {
  return useQuery({ queryKey: ["status"], queryFn: ({ signal }) => client().system.status({ signal }) });
}

/** The caller's role; screens hide what the role does not permit. */
export function useRole(): "root" | "admin" | "user" {
  const role = useStatus().data?.role;
  return role === "root" || role === "admin" ? role : "user";
}

/** Identifies the signed-in user: workspace and user; undefined until the server has responded. */
export function useCaller(): string | undefined {
  const status = useStatus().data;
  return status && `${status.account}/${status.user}`;
}
