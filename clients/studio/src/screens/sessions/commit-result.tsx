import { Link } from "@tanstack/react-router";
import { CircleCheck, X } from "lucide-react";
import type { CommitSessionResponse } from "../../../../typescript/src/gen/ctxdb/v1/session_pb.ts";
import { count, plural } from "../../text/format.ts";
import { IconButton } from "../../ui/button.tsx";

/** The memories and statistics that a commit produced. */
export function CommitResult({
  result,
  onClose,
}: {
  readonly result: CommitSessionResponse;
  readonly onClose: () => void;
}) {
  const { archived = false, memoriesExtracted = 0, stats } = result;
  return (
    <div
      role="status"
      className="flex items-start gap-2 border-b border-line bg-accent-ground px-4 py-2 text-[13px]"
    >
      <CircleCheck className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden />
      <p className="flex-1">
        {archived ? (
          <>
            Archived. {plural(memoriesExtracted, "new memory", "new memories")}.{" "}
            <Link to="/memories" className="text-accent underline">
              See the memories
            </Link>
            {stats !== undefined && (
              <span className="block text-soft">
                In all: {plural(stats.totalTurns, "turn")}, {plural(stats.compressionCount, "archive")},{" "}
                {count(stats.totalTokens)} tokens, {plural(stats.memoriesExtracted, "memory", "memories")}.
              </span>
            )}
          </>
        ) : (
          "There was nothing new to archive."
        )}
      </p>
      <IconButton label="Dismiss" className="size-6" onClick={onClose}>
        <X />
      </IconButton>
    </div>
  );
}
