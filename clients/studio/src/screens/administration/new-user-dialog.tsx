import { useState } from "react";
import { useRegisterUser } from "../../api/accounts.ts";
import { IDENTIFIER_HINT } from "../../keys-and-usage/identifier.ts";
import { KeyDialog } from "../../keys-and-usage/key-dialog.tsx";
import { Input, Select } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

export function NewUserDialog({
  account,
  onClose,
}: {
  readonly account: string;
  readonly onClose: () => void;
}) {
  const [userId, setUserId] = useState("");
  const [role, setRole] = useState("user");
  const register = useRegisterUser();
  if (register.data !== undefined)
    return <KeyDialog owner={register.data.userId} apiKey={register.data.userKey} onClose={onClose} />;
  return (
    <FormDialog
      title="New user"
      about={`In ${account}. The key is shown next.`}
      action="Create user"
      disabled={userId.trim() === ""}
      call={register}
      onSubmit={() => register.mutate({ accountId: account, userId: userId.trim(), role })}
      onClose={onClose}
    >
      <Input
        label="Name"
        hint={IDENTIFIER_HINT}
        autoFocus
        value={userId}
        onChange={(event) => setUserId(event.target.value)}
      />
      <Select
        label="Role"
        value={role}
        hint="Administrators manage users of the workspace."
        onChange={(event) => setRole(event.target.value)}
      >
        <option value="user">user</option>
        <option value="admin">admin</option>
      </Select>
    </FormDialog>
  );
}
