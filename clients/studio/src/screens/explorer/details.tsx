import type { ReactNode } from "react";
import type { StatNodeResponse } from "../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { useReadContent } from "../../api/content.ts";
import { PlainText } from "../../content/plain-text.tsx";
import { count, dateTime } from "../../text/format.ts";
import { childOf, visible } from "../../text/uri.ts";
import { UriText } from "../../ui/uri-text.tsx";

interface DetailsProps {
  readonly node: StatNodeResponse;
  readonly onSelect: (uri: string) => void;
}

/** Metadata of a node, and where it came from. */
export function Details({ node, onSelect }: DetailsProps) {
  const { source } = node;
  const facts: (readonly [string, ReactNode])[] = [
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
      <dl className="grid max-w-3xl grid-cols-[8rem_1fr] gap-y-2 text-[13px]">
        {facts.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-soft">{term}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {node.isDir && <Provenance uri={node.uri} />}
    </div>
  );
}

/** The record of an import, where the folder is one. */
function Provenance({ uri }: { readonly uri: string }) {
  const { data } = useReadContent(childOf(uri, ".meta.json"), -1);
  if (data === undefined) return null;
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold">Provenance</h2>
      <PlainText text={pretty(data.content)} />
    </section>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
