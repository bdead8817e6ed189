import { Pencil, Trash2, Users } from "lucide-react";
import { useState } from "react";
import { type Grant, useListGrants, useRevokeAccess } from "../../../api/access.ts";
import { dateTime } from "../../../text/format.ts";
import { visible } from "../../../text/uri.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Badge } from "../../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../../ui/states.tsx";
import { Table } from "../../../ui/table.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { UriText } from "../../../ui/uri-text.tsx";
import { GRANTEE_TITLES, granteeText, ruleTitle } from "./levels.ts";
import { ShareDialog } from "./share-dialog.tsx";

interface GrantsProps {
  readonly uri: string;
  readonly onSelect: (uri: string) => void;
}

type Open = { readonly what: "change" | "revoke"; readonly grant: Grant } | undefined;

/** The grants of a node. Inherited ones are marked, and are changed at the folder that has them. */
export function Grants({ uri, onSelect }: GrantsProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useListGrants(uri);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  // nearest first, because the nearest grant decides
  const grants = data.pages.flatMap((page) => page.grants).toReversed();
  if (grants.length === 0) {
    return (
      <Empty icon={Users} title="No grants">
        Only the rules of the scope apply here. Share it to allow or deny access.
      </Empty>
    );
  }
  return (
    <div className="rounded-lg border border-line">
      <Table
        label="Grants"
        rows={grants}
        rowKey={(grant) => `${grant.uri} ${granteeText(grant)}`}
        columns={[
          { title: "Who", cell: (grant) => <Who grant={grant} /> },
          {
            title: "Access",
            cell: (grant) => (
              <span className="flex flex-col items-start gap-1">
                <span className="flex flex-wrap gap-1">
                  <Badge tone={grant.effect === "deny" ? "danger" : "accent"}>{ruleTitle(grant)}</Badge>
                  {grant.uri !== uri && <Badge>Inherited</Badge>}
                </span>
                {grant.uri !== uri && <Origin uri={grant.uri} onSelect={() => onSelect(grant.uri)} />}
                <time dateTime={grant.createdAt} className="text-xs text-soft">
                  since {dateTime(grant.createdAt)}
                </time>
              </span>
            ),
          },
          {
            title: "Actions",
            hideTitle: true,
            numeric: true,
            cell: (grant) =>
              grant.uri === uri && (
                <span className="inline-flex">
                  <IconButton
                    label={`Change the access of ${granteeText(grant)}`}
                    onClick={() => setOpen({ what: "change", grant })}
                  >
                    <Pencil />
                  </IconButton>
                  <IconButton
                    label={`Revoke the grant to ${granteeText(grant)}`}
                    onClick={() => setOpen({ what: "revoke", grant })}
                  >
                    <Trash2 />
                  </IconButton>
                </span>
              ),
          },
        ]}
      />
      {hasNextPage && (
        <div className="p-3 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            More grants
          </Button>
        </div>
      )}
      {open?.what === "change" && <ShareDialog uri={uri} grant={open.grant} onClose={close} />}
      {open?.what === "revoke" && <RevokeDialog grant={open.grant} onClose={close} />}
    </div>
  );
}

function Who({ grant: { granteeType, granteeId } }: { readonly grant: Grant }) {
  if (granteeType === "everyone") return <span className="font-medium">Everyone</span>;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <span className="font-medium break-all">{visible(granteeId)}</span>
      <Badge>{GRANTEE_TITLES[granteeType] ?? granteeType}</Badge>
    </span>
  );
}

/** Links to the ancestor from which a grant is inherited. */
function Origin({ uri, onSelect }: { readonly uri: string; readonly onSelect: () => void }) {
  return (
    <button type="button" onClick={onSelect} className="text-left text-accent hover:underline">
      <UriText uri={uri} />
    </button>
  );
}

function RevokeDialog({ grant, onClose }: { readonly grant: Grant; readonly onClose: () => void }) {
  const { uri, granteeType, granteeId } = grant;
  const revoke = useRevokeAccess();
  const submit = () =>
    revoke.mutate(
      { uri, granteeType, granteeId },
      {
        onSuccess: () => {
          toast(`Revoked the grant to ${granteeText(grant)}`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Revoke the grant to ${granteeText(grant)}?`}
      about={<span className="break-all">{visible(uri)}</span>}
      action="Revoke"
      danger
      call={revoke}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-[13px]">
        “{ruleTitle(grant)}” ends at once, here and for everything below. Other grants stay.
      </p>
    </FormDialog>
  );
}
