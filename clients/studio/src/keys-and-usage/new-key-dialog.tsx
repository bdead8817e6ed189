import { useState } from "react";
import { type KeyOwner, useCreateKey } from "../api/keys.ts";
import { Checkbox, Input, Select } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { IDENTIFIER_HINT } from "./identifier.ts";
import { KeyDialog } from "./key-dialog.tsx";

const DAY_MS = 86_400_000;
const LIVES = [7, 30, 90, 365] as const;

interface NewKeyDialogProps {
  readonly owner: KeyOwner;
  readonly onClose: () => void;
}

/** Creates an additional key, which is shown only once. */
export function NewKeyDialog({ owner, onClose }: NewKeyDialogProps) {
  const [name, setName] = useState("");
  const [isReadOnly, setReadOnly] = useState(false);
  const [agent, setAgent] = useState("");
  const [days, setDays] = useState(0);
  const create = useCreateKey();
  if (create.data !== undefined)
    return <KeyDialog owner={`${owner.userId}: ${name}`} apiKey={create.data.userKey} onClose={onClose} />;
  const submit = () =>
    create.mutate({
      ...owner,
      name: name.trim(),
      access: isReadOnly ? "read" : "write",
      ...(agent.trim() !== "" && { agentId: agent.trim() }),
      ...(days > 0 && { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
    });
  return (
    <FormDialog
      title={`New key of ${owner.userId}`}
      about="For an application or an agent. It cannot administer or create keys. The key is shown next."
      action="Create key"
      disabled={name.trim() === ""}
      call={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Name of the key"
        hint={IDENTIFIER_HINT}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Select label="Expires" value={days} onChange={(event) => setDays(Number(event.target.value))}>
        <option value={0}>never</option>
        {LIVES.map((life) => (
          <option key={life} value={life}>
            in {life} days
          </option>
        ))}
      </Select>
      <Input
        label="Agent"
        hint="Calls with the key act as this agent. If empty, they act as the agent that they name."
        autoComplete="off"
        spellCheck={false}
        value={agent}
        onChange={(event) => setAgent(event.target.value)}
      />
      <Checkbox
        label="Reading only"
        checked={isReadOnly}
        onChange={(event) => setReadOnly(event.target.checked)}
      />
    </FormDialog>
  );
}
