import { Search as SearchIcon, SlidersHorizontal } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { SearchOptions } from "./options.tsx";
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
      {open && <SearchOptions settings={settings} onChange={onChange} />}
    </form>
  );
}
