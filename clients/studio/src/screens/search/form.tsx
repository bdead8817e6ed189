import { Search as SearchIcon, SlidersHorizontal } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Input, Select, TextArea } from "../../ui/field.tsx";
import type { Settings } from "./settings.ts";

interface SearchFormProps {
  readonly settings: Settings;
  readonly busy: boolean;
  readonly onChange: (settings: Settings) => void;
  readonly onSubmit: () => void;
}

export function SearchForm({ settings, busy, onChange, onSubmit }: SearchFormProps) {
  const [open, setOpen] = useState(false);
  const set = (some: Partial<Settings>) => onChange({ ...settings, ...some });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-3">
      <div className="flex flex-wrap gap-2">
        <div className="relative min-w-56 flex-1">
          <SearchIcon className="pointer-events-none absolute top-2.5 left-3 size-4 text-soft" aria-hidden />
          <input
            aria-label="Question"
            value={settings.query}
            onChange={(event) => set({ query: event.target.value })}
            placeholder="How do I back up the database?"
            className="h-9 w-full rounded-md border border-line-strong/60 bg-surface pr-3 pl-9 text-[15px] placeholder:text-soft"
          />
        </div>
        <Button
          look="primary"
          type="submit"
          className="h-9"
          busy={busy}
          disabled={settings.query.trim() === ""}
        >
          Search
        </Button>
        <Button className="h-9" aria-expanded={open} onClick={() => setOpen(!open)}>
          <SlidersHorizontal /> Options
        </Button>
      </div>
      {open && <Options settings={settings} set={set} />}
    </form>
  );
}

function Options({
  settings,
  set,
}: {
  readonly settings: Settings;
  readonly set: (some: Partial<Settings>) => void;
}) {
  return (
    <div className="grid gap-3 border-t border-line pt-3 sm:grid-cols-2">
      <Select
        label="Operation"
        value={settings.mode}
        hint={
          settings.mode === "find" ? "One query, as it is." : "The question is planned into several queries."
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
