import { type Components, toJsxRuntime } from "hast-util-to-jsx-runtime";
import { type ReactNode, useMemo } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { Loading } from "../ui/states.tsx";
import { PlainText } from "./plain-text.tsx";
import { MAX_RENDERED, type RenderRequest } from "./render-request.ts";
import { useRendered } from "./use-rendered.ts";
import "./prose.css";

interface RenderedProps {
  readonly request: RenderRequest;
  readonly components?: Partial<Components>;
}

/**
 * A text as React elements, so that its HTML never reaches the page's parser. Text that cannot be rendered is
 * shown as plain text.
 */
export function RenderedText({ request, components }: RenderedProps) {
  if (request.text.length > MAX_RENDERED) return <Plain text={request.text} why="it is long" />;
  return <Sandboxed request={request} components={components} />;
}

function Sandboxed({ request, components }: RenderedProps) {
  const rendered = useRendered(request);
  const content: ReactNode = useMemo(
    () =>
      rendered.state === "done" ? toJsxRuntime(rendered.tree, { Fragment, jsx, jsxs, components }) : null,
    [rendered, components],
  );
  if (rendered.state === "working") return <Loading lines={6} />;
  if (rendered.state === "refused") return <Plain text={request.text} why={rendered.why} />;
  return <>{content}</>;
}

function Plain({ text, why }: { readonly text: string; readonly why: string }) {
  return (
    <>
      <p className="mb-2 text-xs text-soft">Shown as plain text: {why}.</p>
      <PlainText text={text} />
    </>
  );
}
