import { styleText } from "node:util";

/** Styles of the terminal by purpose; plain text if colours are off. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  /** Folders, and text to type. */
  readonly name: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
}

const plain = (text: string): string => text;

export function paintOf(enabled: boolean): Paint {
  const style = (format: Parameters<typeof styleText>[0]) =>
    enabled
      ? (text: string) => (text === "" ? "" : styleText(format, text, { validateStream: false }))
      : plain;
  return {
    strong: style("bold"),
    faint: style("dim"),
    name: style("cyan"),
    good: style("green"),
    warn: style("yellow"),
    bad: style("red"),
  };
}

/** Colours are for terminals without NO_COLOR. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
}
