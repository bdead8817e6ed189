import type { ReactNode } from "react";
import { codeOf } from "../api/client.ts";
import { useStatus } from "../api/system.ts";
import { Button } from "../ui/button.tsx";
import { Failure, Loading } from "../ui/states.tsx";
import { signIn, signOut, useIdentity } from "./identity.ts";
import { SignIn } from "./sign-in.tsx";

/**
 * Shows the application to users with a key, and to everybody if the server has none. Nothing of the previous
 * user remains.
 */
export function Gate({ children }: { readonly children: ReactNode }) {
  const identity = useIdentity();
  return <Asked key={JSON.stringify(identity)}>{children}</Asked>;
}

function Asked({ children }: { readonly children: ReactNode }) {
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
      <WaysOut />
    </main>
  );
}

/** Lets a user leave a missing workspace or user: back to the own identity, or with another key. */
function WaysOut() {
  const { key, account, user } = useIdentity();
  return (
    <div className="flex flex-wrap gap-2">
      {(account ?? user) !== undefined && (
        <Button look="primary" onClick={() => signIn({ key })}>
          Act as yourself again
        </Button>
      )}
      {key !== undefined && <Button onClick={() => signOut()}>Sign in with another key</Button>}
    </div>
  );
}
