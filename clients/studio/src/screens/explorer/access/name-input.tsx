import { useId } from "react";
import { useAccounts, useUsers } from "../../../api/accounts.ts";
import { useListGroups } from "../../../api/groups.ts";
import { useRole, useStatus } from "../../../api/system.ts";
import { useIdentity } from "../../../identity/identity.ts";
import { Input } from "../../../ui/field.tsx";

interface NameInputProps {
  readonly type: string;
  readonly label?: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** Input for the name of a user, group or agent. Administrators may list names, so they get suggestions. */
export function NameInput({ type, label = "Name", hint, value, onChange }: NameInputProps) {
  const list = useId();
  const account = useStatus().data?.account ?? "";
  const hasKeys = useIdentity().key !== undefined;
  const role = useRole();
  // ROOT may act in a workspace that does not exist yet, whose users cannot be listed
  const accounts = useAccounts(hasKeys && role === "root").data ?? [];
  const administers =
    hasKeys && (role === "admin" || accounts.some(({ accountId }) => accountId === account));
  const users = useUsers(account, administers && type === "user").data ?? [];
  const groups = useListGroups(account, administers && type === "group").data ?? [];
  const names = type === "user" ? users.map(({ userId }) => userId) : groups.map(({ groupId }) => groupId);
  return (
    <>
      <Input
        label={label}
        hint={hint}
        list={list}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
