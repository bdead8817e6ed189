import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { addQuestions } from "./evaluation-store.ts";

/** Adds a question with a URI; if the question exists, adds the URI to it. */
export function AddQuestion() {
  const [query, setQuery] = useState("");
  const [uri, setUri] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    addQuestions([{ query: query.trim(), expected: [uri.trim().replace(/\/+$/, "")] }]);
    setQuery("");
    setUri("");
    form.current?.querySelector("input")?.focus();
  };
  return (
    <form
      ref={form}
      onSubmit={submit}
      className="grid gap-3 border-b border-line p-4 sm:grid-cols-[1fr_1fr_auto] sm:items-end"
    >
      <Input
        label="Question"
        placeholder="How do I back up the database?"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <Input
        label="URI that should answer it"
        placeholder="ctx://resources/…"
        value={uri}
        onChange={(event) => setUri(event.target.value)}
      />
      <Button type="submit" disabled={query.trim() === "" || !uri.includes("://")}>
        Add
      </Button>
    </form>
  );
}
