import { type FormEvent, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { addExpected } from "./question-set.ts";

export function AddQuestion() {
  const [query, setQuery] = useState("");
  const [uri, setUri] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    addExpected(query.trim(), uri.trim().replace(/\/+$/, ""));
    setUri("");
  };
  return (
    <form
      onSubmit={submit}
      className="grid gap-3 border-b border-line p-4 sm:grid-cols-[1fr_1fr_auto] sm:items-end"
    >
      <Input label="Question" value={query} onChange={(event) => setQuery(event.target.value)} />
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
