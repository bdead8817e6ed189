import { useQuery } from "@tanstack/react-query";
import { client } from "./client.ts";

/** The server, and who the caller is to it. */
export function useStatus() {
  return useQuery({ queryKey: ["status"], queryFn: ({ signal }) => client().system.status({ signal }) });
}

/** What the signed-in caller may: screens hide what is not for the role. */
export function useRole(): "root" | "admin" | "user" {
  const role = useStatus().data?.role;
  return role === "root" || role === "admin" ? role : "user";
}

/** Names whoever is signed in: the workspace and the user; undefined until the server has said so. */
export function useCaller(): string | undefined {
  const status = useStatus().data;
  return status && `${status.account}/${status.user}`;
}
