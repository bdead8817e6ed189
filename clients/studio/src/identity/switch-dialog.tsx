import { type FormEvent, useState } from "react";
import { useAccounts, useUsers } from "../api/accounts.ts";
import { useStatus } from "../api/system.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Input } from "../ui/field.tsx";
import { signIn, useIdentity } from "./identity.ts";

interface SwitchDialogProps {
  readonly mayActAsOthers: boolean;
  readonly onClose: () => void;
}

/** Changes the identity: ROOT can act in any workspace as any user; every user can choose an agent. */
export function SwitchDialog({ mayActAsOthers, onClose }: SwitchDialogProps) {
  const identity = useIdentity();
  const { data: status } = useStatus();
  const [account, setAccount] = useState(identity.account ?? status?.account ?? "");
  const [user, setUser] = useState(identity.user ?? status?.user ?? "");
  const [agent, setAgent] = useState(identity.agent ?? "default");
  const hasKeys = identity.key !== undefined;
  const accounts = useAccounts(mayActAsOthers && hasKeys).data ?? [];
  const users = useUsers(account, mayActAsOthers && hasKeys && account !== "").data ?? [];

  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn({
      key: identity.key,
      agent: agent.trim() || undefined,
      ...(mayActAsOthers && { account: account.trim() || undefined, user: user.trim() || undefined }),
    });
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title="Act as"
      about="What you see and change belongs to this workspace, user and agent."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        {mayActAsOthers && (
          <>
            <Input
              label="Workspace"
              list="known-accounts"
              value={account}
              onChange={(event) => setAccount(event.target.value)}
            />
            <datalist id="known-accounts">
              {accounts.map(({ accountId }) => (
                <option key={accountId} value={accountId} />
              ))}
            </datalist>
            <Input
              label="User"
              list="known-users"
              value={user}
              onChange={(event) => setUser(event.target.value)}
            />
            <datalist id="known-users">
              {users.map(({ userId }) => (
                <option key={userId} value={userId} />
              ))}
            </datalist>
          </>
        )}
        <Input
          label="Agent"
          hint="The agent whose memories and notes are used."
          value={agent}
          onChange={(event) => setAgent(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Switch
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
