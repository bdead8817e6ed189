import { ArrowLeft, ArrowRight, Trash2, Waypoints } from "lucide-react";
import type { Relation } from "../../../../typescript/src/gen/ctxdb/v1/relation_pb.ts";
import { useMayWrite } from "../../api/access.ts";
import { useListRelations, useUnlinkNodes } from "../../api/relations.ts";
import { dateTime } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { IconButton } from "../../ui/button.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { toastError } from "../../ui/toasts.tsx";
import { UriText } from "../../ui/uri-text.tsx";
import { RelationGraph } from "./relation-graph.tsx";

interface RelationsProps {
  readonly uri: string;
  readonly onSelect: (uri: string) => void;
}

/** The relations of a node as a graph and a list. */
export function Relations({ uri, onSelect }: RelationsProps) {
  const { data, error, refetch } = useListRelations(uri);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0) {
    return (
      <Empty icon={Waypoints} title="No relations">
        A link leads agents from one node to another. Who may change this node makes one by the menu above.
      </Empty>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <RelationGraph uri={uri} relations={data} onSelect={onSelect} />
      <ul>
        {data.map((relation) => (
          <RelationRow
            key={`${relation.fromUri} ${relation.toUri}`}
            uri={uri}
            relation={relation}
            onSelect={onSelect}
          />
        ))}
      </ul>
    </div>
  );
}

interface RelationRowProps extends RelationsProps {
  readonly relation: Relation;
}

function RelationRow({ uri, relation, onSelect }: RelationRowProps) {
  const unlink = useUnlinkNodes();
  const mayWrite = useMayWrite(uri);
  const isOut = relation.fromUri === uri;
  const other = isOut ? relation.toUri : relation.fromUri;
  const Icon = isOut ? ArrowRight : ArrowLeft;
  return (
    <li className="flex items-start gap-3 border-b border-line py-2 last:border-0">
      <Icon className="mt-0.5 size-4 text-soft" aria-label={isOut ? "links to" : "is linked from"} />
      <div className="min-w-0 flex-1">
        <button
          type="button"
          onClick={() => onSelect(other)}
          className="text-left text-accent hover:underline"
        >
          <UriText uri={other} />
        </button>
        <p className="text-xs text-soft">
          {visible(relation.reason) || "No reason given"} · {dateTime(relation.createdAt)}
        </p>
      </div>
      {mayWrite && (
        <IconButton
          label={`Remove the link to ${visible(other)}`}
          onClick={() =>
            unlink.mutate({ fromUri: relation.fromUri, toUri: relation.toUri }, { onError: toastError })
          }
        >
          <Trash2 />
        </IconButton>
      )}
    </li>
  );
}
