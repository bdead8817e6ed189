import type { Root } from "hast";

/** A request to the render worker. */
export type RenderRequest =
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "code"; readonly text: string; readonly language: string };

/** The worker's response: a tree without active elements, attributes or addresses. */
export type RenderAnswer = { readonly tree: Root } | { readonly refused: string };

/** Maximum characters of a text that is rendered; a longer text is shown as plain text. */
export const MAX_RENDERED = 200_000;
