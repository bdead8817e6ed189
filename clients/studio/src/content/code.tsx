import { RenderedText } from "./rendered.tsx";

/** Source code with syntax highlighting. */
export function Code({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <div className="prose">
      <RenderedText request={{ kind: "code", text, language }} />
    </div>
  );
}
