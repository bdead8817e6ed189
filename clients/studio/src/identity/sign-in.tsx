import { type FormEvent, useState } from "react";
import { connect } from "../../../typescript/src/web.ts";
import { codeOf, messageOf } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/field.tsx";
import { signIn, useSignOutNotice } from "./identity.ts";

/** What to do about a refusal, by error code. */
const ADVICE: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: "The server does not accept this key. Check that you copied all of it.",
  RESOURCE_EXHAUSTED: "Too many attempts. Wait a moment, then sign in again.",
  UNAVAILABLE: "The server does not respond. Try again when it is back.",
};

const reasonOf = (error: unknown): string => ADVICE[codeOf(error)] ?? messageOf(error);

export function SignIn() {
  const notice = useSignOutNotice();
  const [key, setKey] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const entered = key.trim();
    if (entered === "") return setError("Enter a key.");
    setBusy(true);
    try {
      await connect(location.origin, { key: entered, retries: 0 }).system.status();
      signIn({ key: entered });
    } catch (thrown) {
      setError(reasonOf(thrown));
      setBusy(false);
    }
  };

  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <form
        onSubmit={submit}
        className="flex w-full max-w-sm flex-col gap-4 rounded-2xl border border-line bg-surface p-7 shadow-sm"
      >
        <img src="/studio/icon.svg" alt="" className="size-10" />
        <div>
          <h1 className="text-xl font-semibold tracking-tight">Sign in to ctxdb Studio</h1>
          <p className="mt-1 text-soft">Studio acts with the rights of your key.</p>
        </div>
        {notice !== "" && (
          <p role="status" className="rounded-lg bg-warning-ground p-3 text-[13px] text-warning">
            {notice}
          </p>
        )}
        <Input
          label="API key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={key}
          error={error}
          hint="Stored until this tab is closed."
          onChange={(event) => {
            setKey(event.target.value);
            setError(undefined);
          }}
        />
        <Button type="submit" look="primary" busy={busy}>
          Sign in
        </Button>
        <p className="text-xs text-soft">
          An administrator of your workspace issues keys. The root key is the server's setting{" "}
          <code>CTXDB_ROOT_API_KEY</code>.
        </p>
      </form>
    </main>
  );
}
