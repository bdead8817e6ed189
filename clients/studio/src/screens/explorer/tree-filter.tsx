import { ListFilter } from "lucide-react";
import { useDeferredValue } from "react";
import { useGlob } from "../../api/search.ts";
import { nameOf, parentOf, ROOT, visible } from "../../text/uri.ts";
import { Failure, Loading } from "../../ui/states.tsx";

/** Maximum number of matches shown. */
const MAX_MATCHES = 200;

interface TreeFilterProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly folder: string;
  readonly onSelect: (uri: string) => void;
}

/** Words match anywhere in a name; characters such as `*` and `?` make the text a glob for the path. */
const patternOf = (text: string): string => {
  if (text.includes("/")) return text;
  return /[*?[{]/.test(text) ? `**/${text}` : `**/*${text}*`;
};

/** A list of nodes found by name, shown instead of the tree. */
export function TreeFilter({ text, onChange, onSelect }: TreeFilterProps) {
  const wanted = useDeferredValue(text.trim());
  const { data, error } = useGlob(
    { uri: ROOT, pattern: patternOf(wanted), nodeLimit: MAX_MATCHES },
    wanted !== "",
  );
  return (
    <>
      <div className="border-b border-line p-2">
        <label className="flex h-8 items-center gap-2 rounded-md border border-line-strong/60 bg-ground px-2 focus-within:outline-2 focus-within:outline-accent">
          <ListFilter className="size-4 text-soft" aria-hidden />
          <span className="sr-only">Filter by name or glob</span>
          <input
            type="search"
            value={text}
            onChange={(event) => onChange(event.target.value)}
            placeholder="Name or glob: *.md"
            className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-soft"
          />
        </label>
      </div>
      {wanted !== "" && (
        <div className="min-h-0 flex-1 overflow-y-auto p-2">
          {error !== null && <Failure error={error} />}
          {data === undefined && error === null && <Loading />}
          {data?.matches.length === 0 && (
            <p className="p-2 text-soft">No name matches. Globs such as *.md work too.</p>
          )}
          <ul>
            {data?.matches.map((uri) => (
              <li key={uri}>
                <button
                  type="button"
                  onClick={() => onSelect(uri)}
                  className="block w-full rounded-md px-2 py-1 text-left text-[13px] -outline-offset-2 hover:bg-sunken"
                >
                  <bdi className="block truncate">{visible(nameOf(uri))}</bdi>
                  <bdi className="block truncate text-xs text-soft">{visible(parentOf(uri))}</bdi>
                </button>
              </li>
            ))}
          </ul>
          {data?.nextCursor !== undefined && (
            <p className="p-2 text-xs text-soft">The first {MAX_MATCHES} are shown.</p>
          )}
        </div>
      )}
    </>
  );
}
