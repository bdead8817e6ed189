import { Blocks } from "lucide-react";
import type { Chunk } from "../../../../typescript/src/gen/ctxdb/v1/content_pb.ts";
import { useListChunks } from "../../api/chunks.ts";
import { count, plural } from "../../text/format.ts";
import { visible, visibleText } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";

/** The chunks of a node's text, as indexed for searches. */
export function Chunks({ uri }: { readonly uri: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useListChunks(uri);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={8} />;
  const chunks = data.pages.flatMap((page) => page.chunks);
  if (chunks.length === 0) {
    return (
      <Empty icon={Blocks} title="The index has no text of this node">
        <p>
          A document with headings is indexed by its sections, the files in the folder beside it. Files
          without text, and imports without an index, have no chunks.
        </p>
      </Empty>
    );
  }
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <p className="text-[13px] text-soft">
        {plural(data.pages[0]?.total ?? chunks.length, "chunk")}. Each is found by itself, by its words and by
        its vectors.
      </p>
      <ol className="flex flex-col divide-y divide-line rounded-lg border border-line">
        {chunks.map((chunk) => (
          <Item key={chunk.index} chunk={chunk} />
        ))}
      </ol>
      {hasNextPage && (
        <Button className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          More chunks
        </Button>
      )}
    </div>
  );
}

function Item({
  chunk: { index, level, start, end, title, text, terms, spaces },
}: {
  readonly chunk: Chunk;
}) {
  return (
    <li className="p-3">
      <p className="flex flex-wrap items-center gap-2 text-xs text-soft tabular-nums">
        <span className="font-medium text-ink">{index + 1}</span>
        <Badge>L{level}</Badge>
        <span>
          characters {count(start)}–{count(end)}
        </span>
        <span>{plural(terms, "term")}</span>
        {spaces.map((space) => (
          <Badge key={space} tone="accent">
            {space}
          </Badge>
        ))}
      </p>
      {title !== "" && (
        <p className="mt-1.5 text-[13px] font-medium break-words" dir="auto">
          {visible(title)}
        </p>
      )}
      <p className="mt-1 line-clamp-6 text-[13px] break-words whitespace-pre-wrap" dir="auto">
        {visibleText(text)}
      </p>
    </li>
  );
}
