import type { StatNodeResponse } from "../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { useAbstract } from "../../api/content.ts";
import { ago, bytes, plural } from "../../text/format.ts";
import { visible, visibleText } from "../../text/uri.ts";
import { Badge } from "../../ui/layout.tsx";

/** The name of a node, and its abstract (L0). */
export function NodeHead({ node }: { readonly node: StatNodeResponse }) {
  const { data: abstract, error } = useAbstract(node.uri);
  const facts = node.isDir ? plural(node.count ?? 0, "node") : bytes(node.size);
  return (
    <>
      <h1 className="text-lg font-semibold tracking-tight break-words">
        <bdi>{visible(node.name) || "ctx://"}</bdi>
      </h1>
      <p className="text-xs text-soft">
        {facts}
        {node.mtime !== undefined && node.mtime > 0 && ` · changed ${ago(node.modTime)}`}
      </p>
      {node.tags.length > 0 && (
        <p className="flex flex-wrap gap-1">
          {node.tags.map((tag) => (
            <Badge key={tag}>{visible(tag)}</Badge>
          ))}
        </p>
      )}
      {typeof abstract === "string" && abstract !== "" && (
        <p className="line-clamp-4 max-w-[85ch] text-[13px] text-soft" dir="auto">
          <span className="mr-1.5">
            <Badge tone="accent">L0</Badge>
          </span>
          {visibleText(abstract)}
        </p>
      )}
      {abstract === null && error === null && (
        <p className="text-xs text-soft italic">The abstract (L0) is being written…</p>
      )}
    </>
  );
}
