import { useState } from "react";
import { count, dateTime } from "../../text/format.ts";
import { nameOf, visible, visibleText } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Badge, Card } from "../../ui/layout.tsx";
import type { MemoryEntry } from "./memory-list.ts";

interface MemoryGroupProps {
  readonly title: string;
  readonly memories: readonly MemoryEntry[];
  readonly selected: string | undefined;
  readonly onSelect: (uri: string) => void;
}

/** Number of memories shown initially per group, and added by each click. */
const STEP = 50;

export function MemoryGroup({ title, memories, selected, onSelect }: MemoryGroupProps) {
  const [shown, setShown] = useState(STEP);
  return (
    <Card title={`${title.charAt(0).toUpperCase()}${title.slice(1)}`} flush>
      <ul>
        {memories.slice(0, shown).map(({ uri, abstract, category, changedAt }) => (
          <li key={uri} className="border-b border-line last:border-0">
            <button
              type="button"
              aria-pressed={uri === selected}
              onClick={() => onSelect(uri)}
              className="block w-full px-4 py-2.5 text-left -outline-offset-2 hover:bg-sunken aria-pressed:bg-accent-ground"
            >
              <span className="line-clamp-3 break-words" dir="auto">
                {visibleText(abstract) || visible(nameOf(uri))}
              </span>
              <span className="mt-0.5 flex flex-wrap gap-2 text-xs text-soft">
                <Badge>{category}</Badge>
                {uri.startsWith("ctx://agent/") && <Badge>agent</Badge>}
                {changedAt !== "" && dateTime(changedAt)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {memories.length > shown && (
        <div className="border-t border-line p-2 text-center">
          <Button look="quiet" onClick={() => setShown(shown + STEP)}>
            Show more ({count(memories.length - shown)} left)
          </Button>
        </div>
      )}
    </Card>
  );
}
