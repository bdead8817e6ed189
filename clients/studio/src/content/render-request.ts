import type { Root } from "hast";

/** What the worker is asked to render. */
export type RenderRequest =
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "code"; readonly text: string; readonly language: string };

/** What it answers: a tree that holds no element, attribute or address that could act. */
export type RenderAnswer = { readonly tree: Root } | { readonly refused: string };

/** Characters that are rendered of one text; more is shown as plain text. */
export const MAX_RENDERED = 200_000;
