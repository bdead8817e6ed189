import { ArrowLeft, BrainCircuit, Trash2 } from "lucide-react";
import { useState } from "react";
import { useCommitSession, useDeleteSession } from "../../api/sessions.ts";
import { visible } from "../../text/uri.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Failure } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { type ArchivePlace, Archives } from "./archives.tsx";
import { CommitResult } from "./commit-result.tsx";
import { Context } from "./context.tsx";
import { Conversation } from "./conversation.tsx";

interface SessionProps {
  readonly id: string;
  /** An archived message to show initially. */
  readonly place: ArchivePlace | undefined;
  readonly onClose: () => void;
}

/** A session: its messages, archives, and the context for a model. */
export function Session({ id, place, onClose }: SessionProps) {
  const [tab, setTab] = useState(place === undefined ? "conversation" : "archives");
  const [deleting, setDeleting] = useState(false);
  const commit = useCommitSession();
  const remove = useDeleteSession();
  return (
    <div className="flex h-full flex-col bg-surface">
      <div className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
        <IconButton label="All sessions" className="md:hidden" onClick={onClose}>
          <ArrowLeft />
        </IconButton>
        <h1 className="min-w-0 flex-1 truncate font-mono text-[13px] font-medium">{visible(id)}</h1>
        <Button look="primary" busy={commit.isPending} onClick={() => commit.mutate(id)}>
          <BrainCircuit /> Commit
        </Button>
        <IconButton label="Delete this session" onClick={() => setDeleting(true)}>
          <Trash2 />
        </IconButton>
      </div>
      {commit.error !== null && (
        <div className="p-3">
          <Failure error={commit.error} />
        </div>
      )}
      {commit.data !== undefined && <CommitResult result={commit.data} onClose={commit.reset} />}
      <Tabs
        label="Parts of the session"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: "conversation", title: "Conversation", content: <Conversation id={id} /> },
          { id: "archives", title: "Archives", content: <Archives id={id} place={place} /> },
          { id: "context", title: "What a model gets", content: <Context id={id} /> },
        ]}
      />
      {deleting && (
        <ConfirmDialog
          title="Delete this session?"
          hits={[
            "Its messages, archives and tool records",
            "The relations of its folder",
            "Memories extracted from it stay",
          ]}
          name={id}
          action="Delete"
          call={remove}
          onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}
