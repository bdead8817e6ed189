import { Download, FileQuestion, Pencil } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import type { StatNodeResponse } from "../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { useMayWrite } from "../../api/access.ts";
import { codeOf } from "../../api/client.ts";
import { FIRST_LINES, useDownload, useReadContent } from "../../api/content.ts";
import { Code } from "../../content/code.tsx";
import { Markdown } from "../../content/markdown.tsx";
import { PlainText } from "../../content/plain-text.tsx";
import { MAX_RENDERED } from "../../content/render-request.ts";
import { StoredImage } from "../../content/stored-image.tsx";
import { bytes } from "../../text/format.ts";
import { extensionOf, imageTypeOf, isMarkdown } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { toastError } from "../../ui/toasts.tsx";
import { isWritable } from "./places.ts";

const Editor = lazy(() => import("../../content/editor.tsx").then(({ Editor }) => ({ default: Editor })));

/**
 * Maximum size in bytes of a file that can be edited here; only the first lines of a larger file are read.
 */
const MAX_EDITED = 1024 * 1024;

interface FileContentProps {
  readonly node: StatNodeResponse;
  /** Called when an editor opens or closes, so that the screen can protect unsaved text. */
  readonly onEditing: (isEditing: boolean) => void;
}

/** The content of a file (L2) in a viewer for its type. */
export function FileContent({ node, onEditing }: FileContentProps) {
  const image = imageTypeOf(node.uri);
  if (image !== undefined && image !== "image/svg+xml")
    return <StoredImage uri={node.uri} type={image} alt={node.name} />;
  return <TextContent node={node} image={image} onEditing={onEditing} />;
}

interface TextContentProps extends FileContentProps {
  readonly image: string | undefined;
}

function TextContent({ node, image, onEditing }: TextContentProps) {
  const isLarge = node.size > MAX_EDITED;
  const { data, error, refetch } = useReadContent(node.uri, isLarge ? FIRST_LINES : -1);
  const mayWrite = useMayWrite(node.uri);
  const [mode, setMode] = useState<"read" | "source">("read");
  const [base, setBase] = useState<{ readonly text: string; readonly etag: string }>();
  useEffect(() => () => onEditing(false), [onEditing]);
  const edit = (next: typeof base) => {
    setBase(next);
    onEditing(next !== undefined);
  };
  // keep the editor and its text, even if the file changes or disappears meanwhile
  if (base !== undefined) {
    return (
      <Suspense fallback={<Loading lines={10} />}>
        <Editor uri={node.uri} {...base} onClose={() => edit(undefined)} />
      </Suspense>
    );
  }
  if (error !== null && codeOf(error) === "INVALID_ARGUMENT") return <Original node={node} />;
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={10} />;
  const hasSource = isMarkdown(node.uri) || image !== undefined;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        {mayWrite && isWritable(node.uri) && !isLarge && (
          <Button onClick={() => edit({ text: data.content, etag: data.etag })}>
            <Pencil /> Edit
          </Button>
        )}
        {hasSource && (
          <Button onClick={() => setMode(mode === "read" ? "source" : "read")}>
            {mode === "read" ? "Source" : "Reading view"}
          </Button>
        )}
        {isLarge && (
          <p className="text-xs text-soft">
            The first {FIRST_LINES} lines of {bytes(node.size)}. Download the file for all of it.
          </p>
        )}
      </div>
      {mode === "read" && image !== undefined ? (
        <StoredImage uri={node.uri} type={image} alt={node.name} />
      ) : (
        <Text uri={node.uri} text={data.content} asSource={mode === "source"} />
      )}
    </>
  );
}

function Text({
  uri,
  text,
  asSource,
}: {
  readonly uri: string;
  readonly text: string;
  readonly asSource: boolean;
}) {
  if (text === "") return <p className="text-soft italic">The file is empty.</p>;
  if (isMarkdown(uri) && !asSource) return <Markdown text={text} uri={uri} />;
  const language = extensionOf(uri);
  if (language === "" || language === "txt" || language === "log" || text.length > MAX_RENDERED)
    return <PlainText text={text} />;
  return <Code text={text} language={language} />;
}

/** A file that is not text. */
function Original({ node }: { readonly node: StatNodeResponse }) {
  const download = useDownload();
  return (
    <Empty icon={FileQuestion} title="This file is not text">
      <p>The extracted text is next to it in the tree. The original can be downloaded.</p>
      <Button
        look="primary"
        busy={download.isPending}
        onClick={() => download.mutate({ uri: node.uri, name: node.name }, { onError: toastError })}
      >
        <Download /> Download {bytes(node.size)}
      </Button>
    </Empty>
  );
}
