import { Input, Select, TextArea } from "../../ui/field.tsx";
import type { Settings } from "./settings.ts";

interface SearchOptionsProps {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}

/** Filters of a search, and the session that gives it context. */
export function SearchOptions({ settings, onChange }: SearchOptionsProps) {
  const set = (some: Partial<Settings>) => onChange({ ...settings, ...some });
  return (
    <div className="grid gap-3 border-t border-line pt-3 sm:grid-cols-2">
      <Select
        label="Operation"
        value={settings.mode}
        hint={
          settings.mode === "find"
            ? "Runs the query as typed."
            : "The question is planned into several queries."
        }
        onChange={(event) => set({ mode: event.target.value === "search" ? "search" : "find" })}
      >
        <option value="find">find</option>
        <option value="search">search</option>
      </Select>
      <Input
        label="Session"
        disabled={settings.mode === "find"}
        value={settings.sessionId}
        hint="Its history gives context to a search."
        onChange={(event) => set({ sessionId: event.target.value })}
      />
      <Input
        label="Search in"
        className="sm:col-span-2"
        value={settings.target}
        placeholder="ctx://resources/docs"
        hint="Folders or files, with spaces between them. Default: everything you may see."
        onChange={(event) => set({ target: event.target.value })}
      />
      <Input
        label="Hits at most"
        type="number"
        min={1}
        max={1000}
        value={settings.limit}
        onChange={(event) => set({ limit: event.target.valueAsNumber || 10 })}
      />
      <Input
        label="Lowest score"
        type="number"
        min={0}
        max={1}
        step="any"
        value={settings.threshold}
        placeholder="none"
        onChange={(event) => set({ threshold: event.target.value })}
      />
      <TextArea
        label="Filter (JSON)"
        className="sm:col-span-2"
        rows={2}
        spellCheck={false}
        value={settings.filter}
        placeholder='{"op": "prefix", "field": "name", "prefix": "back"}'
        hint="Over uri, context_type, level, name, category, tags, created_at, updated_at, active_count and mime."
        onChange={(event) => set({ filter: event.target.value })}
      />
    </div>
  );
}
