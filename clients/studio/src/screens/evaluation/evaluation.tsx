import { Play, Target, Trash2, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { score } from "../../text/format.ts";
import { visible, visibleText } from "../../text/uri.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { Card, Page } from "../../ui/layout.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { AddQuestion } from "./add-question.tsx";
import { csvOf, questionsOf } from "./csv.ts";
import { Misses } from "./misses.tsx";
import { type Question, setQuestions, useQuestions } from "./question-set.ts";
import { type Run, useEvaluation } from "./use-evaluation.ts";

/** Questions with expected answers, asked all at once, and again after a change. */
export function Evaluation() {
  const questions = useQuestions();
  const [k, setK] = useState(10);
  const { runs, progress, error, run, cancel } = useEvaluation();
  const file = useRef<HTMLInputElement>(null);
  const running = progress !== undefined;
  return (
    <Page
      title="Evaluation"
      about="How well searches answer your own questions. Run it, change something, run it again."
      actions={
        <>
          <Button onClick={() => file.current?.click()}>
            <Upload /> Load CSV
          </Button>
          <input
            ref={file}
            type="file"
            hidden
            accept=".csv,text/csv,text/plain"
            aria-label="CSV file"
            onChange={async (event) => {
              const [chosen] = event.target.files ?? [];
              if (chosen !== undefined) setQuestions([...questions, ...questionsOf(await chosen.text())]);
            }}
          />
          {running ? (
            <Button onClick={cancel}>Stop</Button>
          ) : (
            <Button look="primary" disabled={questions.length === 0} onClick={() => void run(questions, k)}>
              <Play /> Run
            </Button>
          )}
        </>
      }
    >
      {progress !== undefined && <Progress label="Questions asked" value={progress} />}
      {error !== null && <Failure error={error} />}
      {runs.length > 0 && <Runs runs={runs} />}
      {runs[0] !== undefined && <Misses run={runs[0]} />}
      <Card
        title={`Questions (${questions.length})`}
        flush
        actions={
          <span className="flex items-center gap-2 text-[13px] text-soft">
            k
            <Input
              label="Hits counted (k)"
              hideLabel
              className="w-20"
              type="number"
              min={1}
              max={100}
              value={k}
              onChange={(event) => setK(event.target.valueAsNumber || 10)}
            />
          </span>
        }
      >
        <AddQuestion />
        {questions.length === 0 ? (
          <Empty icon={Target} title="No questions yet">
            Add one above, save hits from the Search lab, or load a CSV of lines like{" "}
            <code>"how do I back up?",ctx://resources/docs/operations.md</code>
          </Empty>
        ) : (
          <Questions questions={questions} />
        )}
      </Card>
    </Page>
  );
}

function Runs({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <Card title="Runs" flush>
      <Table
        label="Runs, the last one first"
        rows={runs}
        rowKey={({ at }) => at}
        columns={[
          { title: "Time", cell: ({ at }) => new Date(at).toLocaleTimeString() },
          { title: "Questions", numeric: true, cell: ({ outcomes }) => outcomes.length },
          { title: "k", numeric: true, cell: (run) => run.k },
          { title: "Recall@k", numeric: true, cell: ({ summary }) => score(summary.recall) },
          { title: "nDCG@k", numeric: true, cell: ({ summary }) => score(summary.ndcg) },
          { title: "MRR", numeric: true, cell: ({ summary }) => score(summary.mrr) },
        ]}
      />
    </Card>
  );
}

function Questions({ questions }: { readonly questions: readonly Question[] }) {
  const remove = (gone: Question) => setQuestions(questions.filter((question) => question !== gone));
  return (
    <>
      <Table
        label="Questions"
        rows={questions}
        rowKey={({ query }) => query}
        columns={[
          { title: "Question", cell: ({ query }) => visible(query) },
          {
            title: "Expected",
            cell: ({ expected }) => (
              <span className="break-all text-soft">{expected.map(visible).join(", ")}</span>
            ),
          },
          {
            title: "Actions",
            hideTitle: true,
            cell: (question) => (
              <IconButton label={`Remove “${visible(question.query)}”`} onClick={() => remove(question)}>
                <Trash2 />
              </IconButton>
            ),
          },
        ]}
      />
      <details className="px-4 py-3 text-[13px]">
        <summary className="text-soft">As CSV</summary>
        <pre className="mt-2 max-h-60 overflow-auto rounded-lg bg-sunken p-3 text-xs">
          {visibleText(csvOf(questions))}
        </pre>
      </details>
    </>
  );
}
