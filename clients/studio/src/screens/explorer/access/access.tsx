import { Share2 } from "lucide-react";
import { useState } from "react";
import type { StatNodeResponse } from "../../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { includesLevel, useExplainAccess, useWhoAmI } from "../../../api/access.ts";
import { visible } from "../../../text/uri.ts";
import { Button } from "../../../ui/button.tsx";
import { Failure, Loading } from "../../../ui/states.tsx";
import { ExplainUser } from "./explain-user.tsx";
import { Explanation } from "./explanation.tsx";
import { Grants } from "./grants.tsx";
import { isShareable } from "./levels.ts";
import { ShareDialog } from "./share-dialog.tsx";

interface AccessProps {
  readonly node: StatNodeResponse;
  readonly onSelect: (uri: string) => void;
}

/** Who may do what with a node, and why; for those who may share it, the rules to change. */
export function Access({ node, onSelect }: AccessProps) {
  const { uri } = node;
  const { data: own, error, refetch } = useExplainAccess({ uri });
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (own === undefined) return <Loading lines={6} />;
  const mayShare = isShareable(uri) && includesLevel(own.level, "admin");
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <section className="flex flex-col gap-2">
        <h2 className="text-sm font-semibold">Your access</h2>
        <Caller />
        <Explanation explained={own} onSelect={onSelect} />
      </section>
      {mayShare && <Shared node={node} onSelect={onSelect} />}
      {mayShare && <ExplainUser uri={uri} onSelect={onSelect} />}
    </div>
  );
}

/** The user, agent and groups against which grants are checked. */
function Caller() {
  const { data: caller } = useWhoAmI();
  if (caller === undefined) return null;
  const { userId, agentId, role, groups } = caller;
  return (
    <p className="text-[13px] text-soft">
      You are {visible(userId)} ({role}), acting as the agent {visible(agentId)}
      {groups.length > 0 && `, in ${groups.length === 1 ? "the group" : "the groups"} ${groups.join(", ")}`}.
    </p>
  );
}

/** The rules on a node and above it. */
function Shared({ node, onSelect }: AccessProps) {
  const [sharing, setSharing] = useState(false);
  const isDerived = node.source !== undefined;
  return (
    <section className="flex flex-col gap-2">
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <h2 className="flex-1 text-sm font-semibold">Grants</h2>
        {!isDerived && (
          <Button onClick={() => setSharing(true)}>
            <Share2 /> Share
          </Button>
        )}
      </div>
      <p className="text-[13px] text-soft">
        {isDerived
          ? "The server derived this from a file, whose grants apply here."
          : "A grant applies to everything below. The nearest grant overrides those above it."}
      </p>
      <Grants uri={node.uri} onSelect={onSelect} />
      {sharing && <ShareDialog uri={node.uri} onClose={() => setSharing(false)} />}
    </section>
  );
}
