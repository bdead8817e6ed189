import { useState } from "react";
import { useCreateAccount } from "../../api/accounts.ts";
import { IDENTIFIER_HINT } from "../../keys-and-usage/identifier.ts";
import { KeyDialog } from "../../keys-and-usage/key-dialog.tsx";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface NewWorkspaceDialogProps {
  readonly onClose: () => void;
  readonly onMade: (account: string) => void;
}

export function NewWorkspaceDialog({ onClose, onMade }: NewWorkspaceDialogProps) {
  const [accountId, setAccountId] = useState("");
  const [adminUserId, setAdminUserId] = useState("");
  const create = useCreateAccount();
  if (create.data !== undefined) {
    const { accountId: made, adminUserId: admin, userKey } = create.data;
    return (
      <KeyDialog
        owner={`${admin} in ${made}`}
        apiKey={userKey}
        onClose={() => {
          onClose();
          onMade(made);
        }}
      />
    );
  }
  return (
    <FormDialog
      title="New workspace"
      about="With its first administrator, whose key is shown next."
      action="Create workspace"
      disabled={accountId.trim() === "" || adminUserId.trim() === ""}
      call={create}
      onSubmit={() => create.mutate({ accountId: accountId.trim(), adminUserId: adminUserId.trim() })}
      onClose={onClose}
    >
      <Input
        label="Name"
        hint={IDENTIFIER_HINT}
        autoFocus
        value={accountId}
        onChange={(event) => setAccountId(event.target.value)}
      />
      <Input
        label="First administrator"
        value={adminUserId}
        onChange={(event) => setAdminUserId(event.target.value)}
      />
    </FormDialog>
  );
}
