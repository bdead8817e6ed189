import { Eraser, FolderTree, Pencil } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useReadContent } from "../../api/content.ts";
import { Markdown } from "../../content/markdown.tsx";
import { nameOf, visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { IconLink } from "../../ui/icon-link.tsx";
import { Card } from "../../ui/layout.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { ForgetDialog } from "./forget-dialog.tsx";
import { withEarlier } from "./memory-list.ts";
import { Provenance } from "./provenance.tsx";

const Editor = lazy(() => import("../../content/editor.tsx").then(({ Editor }) => ({ default: Editor })));

interface MemoryProps {
  readonly uri: string;
  readonly onSelect: (uri: string) => void;
  readonly onForgotten: () => void;
}

/** A memory: current and superseded statements, and their sources. */
export function Memory({ uri, onSelect, onForgotten }: MemoryProps) {
  const { data, error, refetch } = useReadContent(uri, -1);
  const [editing, setEditing] = useState(false);
  const [forgetting, setForgetting] = useState(false);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={6} />;
  const { content, etag } = data;
  return (
    <Card
      title={visible(nameOf(uri))}
      className="order-first lg:sticky lg:top-5 lg:order-none"
      actions={
        <>
          <IconLink label="Show in the Explorer" to="/explorer" search={{ uri }}>
            <FolderTree />
          </IconLink>
          {!editing && (
            <Button onClick={() => setEditing(true)}>
              <Pencil /> Edit
            </Button>
          )}
          <Button look="danger" onClick={() => setForgetting(true)}>
            <Eraser /> Forget
          </Button>
        </>
      }
    >
      {editing ? (
        <Suspense fallback={<Loading lines={6} />}>
          <Editor uri={uri} text={content} etag={etag} onClose={() => setEditing(false)} />
        </Suspense>
      ) : (
        <Statements uri={uri} text={content} />
      )}
      <Provenance uri={uri} text={content} onSelect={onSelect} />
      {forgetting && (
        <ForgetDialog uri={uri} onClose={() => setForgetting(false)} onForgotten={onForgotten} />
      )}
    </Card>
  );
}

/** Current statements, followed by superseded ones. */
function Statements({ uri, text }: { readonly uri: string; readonly text: string }) {
  const { current, earlier } = withEarlier(text);
  return (
    <>
      <Markdown text={current} uri={uri} />
      {earlier !== "" && (
        <section className="mt-4 border-l-2 border-line pl-4 text-soft">
          <h3 className="mb-1 text-sm font-semibold">Superseded</h3>
          <Markdown text={earlier} uri={uri} />
        </section>
      )}
    </>
  );
}
