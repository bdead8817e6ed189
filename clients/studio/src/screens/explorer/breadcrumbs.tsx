import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { childOf, ROOT, segmentsOf, visible } from "../../text/uri.ts";
import { CopyButton } from "../../ui/copy-button.tsx";

/** Links to the folders above a node. */
export function Breadcrumbs({ uri }: { readonly uri: string; readonly onSelect?: (uri: string) => void }) {
  const segments = segmentsOf(uri);
  const uris = segments.map((_, index) => childOf(ROOT, segments.slice(0, index + 1).join("/")));
  return (
    <nav aria-label="Path" className="flex min-w-0 flex-1 flex-wrap items-center gap-x-0.5 text-[13px]">
      <Link
        to="/explorer"
        search={{ uri: ROOT }}
        className="rounded px-1 text-soft hover:bg-sunken hover:text-ink"
      >
        ctx://
      </Link>
      {segments.map((segment, index) => (
        <Fragment key={uris[index]}>
          {index > 0 && <ChevronRight className="size-3.5 text-soft" aria-hidden />}
          <Link
            to="/explorer"
            search={{ uri: uris[index] ?? ROOT }}
            aria-current={index === segments.length - 1 ? "page" : undefined}
            className="max-w-60 truncate rounded px-1 text-soft hover:bg-sunken hover:text-ink aria-[current]:text-ink"
          >
            <bdi>{visible(segment)}</bdi>
          </Link>
        </Fragment>
      ))}
      <CopyButton text={uri} label="Copy URI" />
    </nav>
  );
}
