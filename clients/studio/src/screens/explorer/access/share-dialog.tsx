import { useState } from "react";
import { type Grant, useGrantAccess } from "../../../api/access.ts";
import { visible } from "../../../text/uri.ts";
import { Select } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { GRANTEE_TITLES, granteeText, RULES, ruleKey, ruleTitle } from "./levels.ts";
import { NameInput } from "./name-input.tsx";

interface ShareDialogProps {
  readonly uri: string;
  /** The grant to change; absent to create one. */
  readonly grant?: Grant;
  readonly onClose: () => void;
}

/** Allows or denies access to a node and everything below it. */
export function ShareDialog({ uri, grant, onClose }: ShareDialogProps) {
  const [granteeType, setGranteeType] = useState(grant?.granteeType ?? "user");
  const [name, setName] = useState(grant?.granteeId ?? "");
  const [rule, setRule] = useState(grant === undefined ? "allow read" : ruleKey(grant));
  const give = useGrantAccess();
  const isEveryone = granteeType === "everyone";
  const submit = () => {
    const { effect, level } = RULES.find((one) => ruleKey(one) === rule) ?? {
      effect: "allow",
      level: "read",
    };
    give.mutate(
      { uri, granteeType, granteeId: isEveryone ? "" : name.trim(), level, effect },
      {
        onSuccess: ({ grant: made }) => {
          if (made !== undefined) toast(`${granteeText(made)}: ${ruleTitle(made)}`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={grant === undefined ? "Share" : `Access of ${granteeText(grant)}`}
      about={<span className="break-all">{visible(uri)}, with everything below it</span>}
      action={grant === undefined ? "Share" : "Save"}
      disabled={!isEveryone && name.trim() === ""}
      call={give}
      onSubmit={submit}
      onClose={onClose}
    >
      {grant === undefined && (
        <>
          <Select
            label="Who"
            value={granteeType}
            onChange={(event) => {
              setGranteeType(event.target.value);
              setName("");
            }}
          >
            {Object.entries(GRANTEE_TITLES).map(([type, title]) => (
              <option key={type} value={type}>
                {type === "everyone" ? "Everyone of the workspace" : title}
              </option>
            ))}
          </Select>
          {!isEveryone && <NameInput type={granteeType} value={name} onChange={setName} />}
          {granteeType === "agent" && (
            <p className="text-xs text-soft">
              Requests name their agent themselves: this rule guides agents, but does not protect against
              anyone.
            </p>
          )}
        </>
      )}
      <Select label="Access" value={rule} onChange={(event) => setRule(event.target.value)}>
        {RULES.map((one) => (
          <option key={ruleKey(one)} value={ruleKey(one)}>
            {one.title}
          </option>
        ))}
      </Select>
    </FormDialog>
  );
}
