import { Plus, X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useUsers } from "../../api/accounts.ts";
import { type Group, useAddGroupMember, useRemoveGroupMember } from "../../api/groups.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Input } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";

interface GroupMembersProps {
  readonly account: string;
  readonly group: Group;
  readonly onClose: () => void;
}

/** The members of a group; a grant to the group takes effect for all of them at once. */
export function GroupMembers({ account, group: { groupId, members }, onClose }: GroupMembersProps) {
  const remove = useRemoveGroupMember();
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Members of ${groupId}`}
      about="New members get access to everything shared with the group at once. Removed members lose it."
    >
      <div className="flex flex-col gap-3">
        <AddMember account={account} groupId={groupId} members={members} />
        {remove.error !== null && <Failure error={remove.error} />}
        {members.length === 0 ? (
          <p className="text-soft">No members yet.</p>
        ) : (
          <Table
            label={`Members of ${groupId}`}
            rows={members}
            rowKey={(userId) => userId}
            columns={[
              { title: "User", cell: (userId) => <span className="font-medium">{userId}</span> },
              {
                title: "Actions",
                hideTitle: true,
                numeric: true,
                cell: (userId) => (
                  <IconButton
                    label={`Remove ${userId} from ${groupId}`}
                    disabled={remove.isPending}
                    onClick={() => remove.mutate({ accountId: account, groupId, userId })}
                  >
                    <X />
                  </IconButton>
                ),
              },
            ]}
          />
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  );
}

interface AddMemberProps {
  readonly account: string;
  readonly groupId: string;
  readonly members: readonly string[];
}

function AddMember({ account, groupId, members }: AddMemberProps) {
  const list = useId();
  const users = useUsers(account).data ?? [];
  const add = useAddGroupMember();
  const [userId, setUserId] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ accountId: account, groupId, userId: userId.trim() }, { onSuccess: () => setUserId("") });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <Input
          label="User to add"
          className="flex-1"
          list={list}
          autoComplete="off"
          spellCheck={false}
          value={userId}
          onChange={(event) => setUserId(event.target.value)}
        />
        <Button type="submit" look="primary" busy={add.isPending} disabled={userId.trim() === ""}>
          <Plus /> Add
        </Button>
      </div>
      <datalist id={list}>
        {users
          .filter((user) => !members.includes(user.userId))
          .map((user) => (
            <option key={user.userId} value={user.userId} />
          ))}
      </datalist>
      {add.error !== null && <Failure error={add.error} />}
    </form>
  );
}
