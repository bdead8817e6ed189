import { Download, Upload } from "lucide-react";
import { useRef } from "react";
import { plural } from "../../text/format.ts";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { toast, toastError } from "../../ui/toasts.tsx";
import { csvOf, questionsOf } from "./csv.ts";
import { addQuestions, MAX_QUESTIONS } from "./evaluation-store.ts";
import type { Question } from "./measures.ts";

/** Maximum bytes of a question file, which is read in the page. */
const MAX_FILE = 8 * 1024 * 1024;

/** Imports and exports questions as CSV, because the set ends with the tab. */
export function QuestionFiles({ questions }: { readonly questions: readonly Question[] }) {
  const input = useRef<HTMLInputElement>(null);
  const load = async (file: File) => {
    try {
      if (file.size > MAX_FILE) throw new Error(`${file.name} is larger than 8 MiB: split it`);
      const loaded = questionsOf(await file.text());
      if (loaded.questions.length === 0)
        throw new Error(`${file.name} has no line with a question and a URI such as ctx://resources/a.md`);
      addQuestions(loaded.questions);
      const skipped = loaded.skipped > 0 ? `; left out ${plural(loaded.skipped, "line")} without a URI` : "";
      toast(`Loaded ${plural(loaded.questions.length, "question")}${skipped}`);
      if (questions.length + loaded.questions.length > MAX_QUESTIONS)
        toast(`A set has at most ${MAX_QUESTIONS} questions: the others are left out`);
    } catch (thrown) {
      toastError(thrown);
    }
  };
  return (
    <>
      {questions.length > 0 && (
        <Button onClick={() => saveFile(new Blob([csvOf(questions)], { type: "text/csv" }), "questions.csv")}>
          <Download /> Save CSV
        </Button>
      )}
      <Button onClick={() => input.current?.click()}>
        <Upload /> Load CSV
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,text/csv,text/plain"
        aria-label="CSV file"
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          event.target.value = "";
          if (chosen !== undefined) void load(chosen);
        }}
      />
    </>
  );
}
