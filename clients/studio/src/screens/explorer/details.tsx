import type { StatNodeResponse } from "../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { count, dateTime } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { UriText } from "../../ui/uri-text.tsx";
import { type Fact, Facts } from "./facts.tsx";
import { Provenance } from "./provenance.tsx";

interface DetailsProps {
  readonly node: StatNodeResponse;
  readonly onSelect: (uri: string) => void;
}

/** Metadata of a node, and the import that created it. */
export function Details({ node, onSelect }: DetailsProps) {
  const { source } = node;
  const facts: Fact[] = [
    ["URI", <code key="uri">{visible(node.uri)}</code>],
    ["Kind", node.isDir ? "Folder" : "File"],
    node.isDir ? ["Nodes below", count(node.count ?? 0)] : ["Size", `${count(node.size)} bytes`],
    [
      "Created",
      node.ctime !== undefined && node.ctime > 0 ? dateTime(new Date(node.ctime * 1000).toISOString()) : "–",
    ],
    ["Changed", node.mtime !== undefined && node.mtime > 0 ? dateTime(node.modTime) : "–"],
  ];
  if (source !== undefined) {
    facts.push([
      "Derived from",
      <button
        key="source"
        type="button"
        className="text-left text-accent underline"
        onClick={() => onSelect(source)}
      >
        <UriText uri={source} />
      </button>,
    ]);
  }
  return (
    <div className="flex flex-col gap-6">
      <Facts facts={facts} />
      <Provenance node={node} onSelect={onSelect} />
    </div>
  );
}
