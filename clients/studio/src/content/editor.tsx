import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef, useState } from "react";
import { codeOf } from "../api/client.ts";
import { useStoredContent, useWriteContent } from "../api/content.ts";
import { extensionOf, isMarkdown, nameOf } from "../text/uri.ts";
import { Button } from "../ui/button.tsx";
import { Failure } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import { UnsavedText } from "./unsaved-text.tsx";

interface EditorProps {
  readonly uri: string;
  readonly text: string;
  /** ETag of `text`; both stay the same while the editor is open. */
  readonly etag: string;
  readonly onClose: () => void;
}

/** Edits a text file. Saves only if nobody else has changed it meanwhile; otherwise the user decides. */
export function Editor({ uri, text, etag, onClose }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const [changed, setChanged] = useState(false);
  const write = useWriteContent();
  const conflict = write.error !== null && codeOf(write.error) === "FAILED_PRECONDITION";

  const save = async (ifMatch?: string) => {
    const content = view.current?.state.doc.toString();
    if (content === undefined) return;
    await write.mutateAsync({ uri, content, mode: "replace", ...(ifMatch !== undefined && { ifMatch }) });
    toast(`Saved ${nameOf(uri)}. Search follows in a moment.`);
    onClose();
  };
  const saveNow = useRef(save);
  saveNow.current = save;

  useEffect(() => {
    if (host.current === null) return;
    const made = openEditor(host.current, text, languageOf(uri), {
      onChange: setChanged,
      onSave: () => void saveNow.current(etag).catch(() => undefined),
    });
    view.current = made;
    return () => made.destroy();
  }, [text, etag, uri]);

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="primary"
          busy={write.isPending}
          disabled={!changed}
          onClick={() => void save(etag).catch(() => undefined)}
        >
          Save
        </Button>
        <Button onClick={onClose}>{changed ? "Discard changes" : "Close"}</Button>
        <span className="text-xs text-soft">⌘S saves. Esc, then Tab leaves the text.</span>
      </div>
      {conflict && (
        <Conflict
          uri={uri}
          onOverwrite={(newer) => void save(newer).catch(() => undefined)}
          onTheirs={onClose}
        />
      )}
      {write.error !== null && !conflict && <Failure error={write.error} />}
      <UnsavedText isChanged={changed} />
      <div ref={host} className="overflow-hidden rounded-lg border border-line-strong/50 bg-ground" />
    </div>
  );
}

interface ConflictProps {
  readonly uri: string;
  readonly onOverwrite: (etag: string) => void;
  readonly onTheirs: () => void;
}

/** Shown if somebody else has changed the file; nothing is lost until the user chooses. */
function Conflict({ uri, onOverwrite, onTheirs }: ConflictProps) {
  const { data } = useStoredContent(uri);
  return (
    <div
      role="alert"
      className="flex flex-col gap-2 rounded-lg border border-warning/40 bg-warning-ground p-3"
    >
      <p className="font-medium">The file was changed while you were editing it.</p>
      {data !== undefined && (
        <pre className="max-h-40 overflow-auto rounded bg-surface p-2 text-xs whitespace-pre-wrap">
          {data.content}
        </pre>
      )}
      <div className="flex gap-2">
        <Button disabled={data === undefined} onClick={() => onOverwrite(data?.etag ?? "")}>
          Replace it with my text
        </Button>
        <Button onClick={onTheirs}>Keep the stored text</Button>
      </div>
    </div>
  );
}

function languageOf(uri: string): Extension {
  if (isMarkdown(uri)) return markdown();
  return extensionOf(uri) === "json" ? json() : [];
}

interface EditorEvents {
  readonly onChange: (changed: boolean) => void;
  readonly onSave: () => void;
}

const LOOK = EditorView.theme({
  "&": { fontSize: "13px", maxHeight: "65vh", color: "var(--text)" },
  ".cm-scroller": {
    overflow: "auto",
    fontFamily: "ui-monospace, Menlo, Consolas, monospace",
    lineHeight: "1.55",
  },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--soft)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-ground)",
  },
});

const COLORS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.link, tags.url, tags.string], color: "var(--accent)" },
  { tag: [tags.monospace, tags.number, tags.bool, tags.null], color: "var(--warning)" },
  { tag: [tags.keyword, tags.propertyName], color: "var(--series-2)" },
  { tag: [tags.comment, tags.quote, tags.meta, tags.processingInstruction], color: "var(--soft)" },
]);

/**
 * Opens the editor in a shadow root, in which it uses constructed style sheets; in the page it would need
 * <style> elements, which the content security policy forbids.
 */
function openEditor(
  host: HTMLElement,
  text: string,
  language: Extension,
  { onChange, onSave }: EditorEvents,
): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const save = () => {
    onSave();
    return true;
  };
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      drawSelection(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      syntaxHighlighting(COLORS),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Text of the file" }),
      keymap.of([
        { key: "Mod-s", preventDefault: true, run: save },
        ...searchKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        indentWithTab,
      ]),
      LOOK,
      language,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString() !== text);
      }),
    ],
  });
  return new EditorView({ state, root, parent: root });
}
