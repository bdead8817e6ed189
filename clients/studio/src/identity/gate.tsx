import { type ReactNode, useEffect } from "react";
import { codeOf } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { useStatus } from "../api/system.ts";
import { Failure, Loading } from "../ui/states.tsx";
import { useIdentity } from "./identity.ts";
import { SignIn } from "./sign-in.tsx";

/** Lets in who has a key, and everybody where the server has none. Another caller starts with nothing of the one before. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const identity = useIdentity();
  return <Asked key={JSON.stringify(identity)}>{children}</Asked>;
}

function Asked({ children }: { readonly children: ReactNode }) {
  useEffect(() => () => queryClient.clear(), []);
  const { data, error, refetch } = useStatus();
  if (data !== undefined) return children;
  if (error === null) {
    return (
      <main className="mx-auto max-w-sm p-8">
        <Loading />
      </main>
    );
  }
  if (codeOf(error) === "UNAUTHENTICATED") return <SignIn />;
  return (
    <main className="mx-auto flex max-w-xl flex-col gap-4 p-8">
      <h1 className="text-xl font-semibold">Studio cannot start</h1>
      <Failure error={error} onRetry={() => void refetch()} />
    </main>
  );
}
