import { Play, SlidersHorizontal, Square, Target, Trash2 } from "lucide-react";
import { useState } from "react";
import { plural } from "../../text/format.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/layout.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { SearchOptions } from "../search/options.tsx";
import { AddQuestion } from "./add-question.tsx";
import { clearEvaluation, setSettings, startRun, stopRun, useEvaluation } from "./evaluation-store.ts";
import { Misses } from "./misses.tsx";
import { QuestionFiles } from "./question-files.tsx";
import { Questions } from "./questions.tsx";
import { tellSettings } from "./run.ts";
import { Runs } from "./runs.tsx";

/** A set of questions with expected answers, run as a whole to compare results before and after a change. */
export function Evaluation() {
  const { questions, runs, error } = useEvaluation();
  const [chosen, setChosen] = useState<string>();
  const [last, ...earlier] = runs;
  const baseline = earlier.find(({ at }) => at === chosen) ?? earlier[0];
  return (
    <Page
      title="Evaluation"
      about="Measure how well searches answer your own questions. Run the set, change something, and run it again."
      actions={<QuestionFiles questions={questions} />}
    >
      {questions.length > 0 && <RunBar />}
      {error !== undefined && <Failure error={error} onRetry={() => void startRun()} />}
      <Runs runs={runs} baseline={baseline} onBaseline={({ at }) => setChosen(at)} />
      {last !== undefined && <Misses key={last.at} run={last} />}
      <Card
        title={`Questions (${questions.length})`}
        flush
        actions={
          questions.length > 0 && (
            <Button look="quiet" onClick={clearEvaluation}>
              <Trash2 /> Remove all
            </Button>
          )
        }
      >
        <AddQuestion />
        {questions.length === 0 ? (
          <Empty icon={Target} title="No questions yet">
            <p>Add one above, save hits from the Search lab, or load a CSV file of lines like</p>
            <code className="max-w-full rounded bg-sunken px-2 py-1 text-left text-xs break-words">
              how do I back up?,ctx://resources/docs/operations.md
            </code>
          </Empty>
        ) : (
          <Questions questions={questions} last={last} baseline={baseline} />
        )}
      </Card>
    </Page>
  );
}

/** Search settings of the run, and its progress. */
function RunBar() {
  const { questions, settings, progress } = useEvaluation();
  const [open, setOpen] = useState(false);
  const running = progress !== undefined;
  return (
    <section aria-label="Run" className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-40 flex-1 pl-1 text-[13px] break-words">
          <span className="font-medium">{plural(questions.length, "question")}</span>{" "}
          <span className="text-soft">by {tellSettings(settings)}</span>
        </p>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          <SlidersHorizontal /> Options
        </Button>
        {running ? (
          <Button onClick={stopRun}>
            <Square /> Stop
          </Button>
        ) : (
          <Button look="primary" onClick={() => void startRun()}>
            <Play /> Run
          </Button>
        )}
      </div>
      {running && <Progress label="Questions asked" value={progress} />}
      {open && <SearchOptions settings={settings} onChange={setSettings} />}
    </section>
  );
}
