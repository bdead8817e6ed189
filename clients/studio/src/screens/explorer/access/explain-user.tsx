import { type FormEvent, useState } from "react";
import { useExplainAccess } from "../../../api/access.ts";
import { visible } from "../../../text/uri.ts";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/field.tsx";
import { Failure, Loading } from "../../../ui/states.tsx";
import { Explanation } from "./explanation.tsx";
import { NameInput } from "./name-input.tsx";

interface ExplainUserProps {
  readonly uri: string;
  readonly onSelect: (uri: string) => void;
}

interface Asked {
  readonly userId: string;
  readonly agentId: string;
}

/** Explains why a user may, or may not, do something here. */
export function ExplainUser({ uri, onSelect }: ExplainUserProps) {
  const [user, setUser] = useState("");
  const [agent, setAgent] = useState("");
  const [asked, setAsked] = useState<Asked>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked({ userId: user.trim(), agentId: agent.trim() });
  };
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-sm font-semibold">Explain the access of a user</h2>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <NameInput type="user" label="User" value={user} onChange={setUser} />
        <Input
          label="Agent"
          placeholder="default"
          autoComplete="off"
          spellCheck={false}
          value={agent}
          onChange={(event) => setAgent(event.target.value)}
        />
        <Button type="submit" disabled={user.trim() === ""}>
          Explain
        </Button>
      </form>
      {asked !== undefined && <Explained uri={uri} asked={asked} onSelect={onSelect} />}
    </section>
  );
}

function Explained({ uri, asked, onSelect }: ExplainUserProps & { readonly asked: Asked }) {
  const { data, error, refetch } = useExplainAccess({ uri, ...asked });
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      <p className="text-[13px] text-soft">
        {visible(data.userId)}, acting as the agent {visible(data.agentId)}:
      </p>
      <Explanation explained={data} onSelect={onSelect} />
    </div>
  );
}
