import { styleText } from "node:util";

/** Terminal styles by purpose; they leave text unchanged if colours are off. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  /** For folder names, and for text that the user can type. */
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

/** Whether to use colours: only on terminals, unless NO_COLOR is set. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
}
