import type { FactKind } from "../../facts/fact-kind.ts";
import { attitude, entity, profile } from "../predicates.ts";
import type { RuleLanguage, Statement } from "../rule.ts";

/** What the whole message tells about each of its segments. */
export interface MessageContext {
  /** Whether the message speaks of a change: "now", "instead", "sold". */
  readonly isOfChange: boolean;
  /** Whether the message says that a new state replaces an earlier one. */
  readonly isReplacement: boolean;
}

/** A pattern for a whole segment and the statements that it yields. */
export interface Reading {
  readonly form: RegExp;
  make(match: RegExpExecArray, context: MessageContext): Statement | readonly Statement[] | undefined;
}

export interface ReadingOptions {
  readonly slot?: string;
  /** The kind of known fact that the statement replaces; `role`: the kind of the role in the first group. */
  readonly replaces?: FactKind | "role";
  /** The subject, with a placeholder for the speaker; default: the speaker. */
  readonly subject?: string;
}

/**
 * Which groups of a pattern match only literal words, such as verbs and prepositions. They are used as they
 * are: `complementOf` would reject them as incomplete.
 */
function literalGroups(source: string): readonly boolean[] {
  const literal: boolean[] = [true];
  const open: (number | undefined)[] = [];
  for (let at = 0; at < source.length; at++) {
    const isEscaped = source[at] === "\\";
    const isClass = source[at] === "[" || (isEscaped && source[at + 1] === "p");
    if (isClass) for (const group of open) if (group !== undefined) literal[group] = false;
    if (isEscaped || isClass) {
      at = isEscaped ? at + 1 : source.indexOf("]", at);
      continue;
    }
    if (source[at] === "(") {
      const isCapturing = source[at + 1] !== "?";
      open.push(isCapturing ? literal.push(true) - 1 : undefined);
    }
    if (source[at] === ")") open.pop();
  }
  return literal;
}

/** Cached by pattern, filled on first use. */
const LITERAL = new Map<string, readonly boolean[]>();

function literalOf(source: string): readonly boolean[] {
  const known = LITERAL.get(source) ?? literalGroups(source);
  LITERAL.set(source, known);
  return known;
}

type Complement = (raw: string) => string | undefined;

/**
 * Makes the readings of one language. `$1` in a template is the first group without asides; if a group refers
 * to another sentence, there is no statement.
 */
export function readingsOf(language: RuleLanguage, complementOf: Complement) {
  const fill = (
    template: string,
    match: RegExpExecArray,
    literal: readonly boolean[],
  ): string | undefined => {
    let isWhole = true;
    const text = template.replace(/\$(\d)/g, (_, at: string) => {
      const raw = match[Number(at)];
      if (raw === undefined || raw.trim() === "") return "";
      if (literal[Number(at)]) return raw;
      const part = complementOf(raw);
      if (part === undefined) isWhole = false;
      return `${raw.startsWith(" ") ? " " : ""}${part ?? ""}${raw.endsWith(" ") ? " " : ""}`;
    });
    return isWhole ? text.replace(/ {2,}/g, " ").trim().replace(/ for$/, "") : undefined;
  };
  const form = (source: string): RegExp => new RegExp(`^${source}[.!。！]*$`, "u");
  return {
    form,
    /** A fact about the speaker, or about a subject that the template names. */
    fact: (source: string, template: string, { slot, replaces, subject }: ReadingOptions = {}): Reading => ({
      form: form(source),
      make(match) {
        const literal = literalOf(source);
        const about = fill(template, match, literal);
        const of = subject === undefined ? undefined : fill(subject, match, literal);
        const question = slot === undefined ? undefined : fill(slot, match, literal);
        if (about === undefined || (subject !== undefined && of === undefined)) return undefined;
        const kind = replaces === "role" ? kindOfRole(match[1] ?? "") : replaces;
        return {
          ...profile(language, about, question?.toLowerCase()),
          ...(of !== undefined && { subject: withArticle(of) }),
          ...(kind !== undefined && { replaces: kind }),
        };
      },
    }),
    /** What the speaker likes, consumes or uses, or does not. */
    taste: (source: string, template: string, thing: string, answer: "yes" | "no"): Reading => ({
      form: form(source),
      make(match) {
        const about = fill(template, match, literalOf(source));
        const what = fill(thing, match, literalOf(source));
        return about === undefined || what === undefined || what === ""
          ? undefined
          : attitude(language, about, what.split(/\s+/).slice(0, 4).join(" "), answer);
      },
    }),
    /** What the speaker does regularly, with any verb whose third person is known. */
    habit: (habit: RegExp, thirdOf: (verb: string) => string | undefined, passing: RegExp): Reading => ({
      form: habit,
      make([, verb = "", raw = ""]) {
        const third = thirdOf(verb);
        const rest = complementOf(raw);
        return third === undefined || rest === undefined || passing.test(rest)
          ? undefined
          : profile(language, `${third} ${rest}`, `${third} ${rest.split(" ")[0]}`);
      },
    }),
    /** A fact about somebody or something with a name. */
    named: (source: string, name: string, template: string, slot?: string): Reading => ({
      form: form(source),
      make(match) {
        const literal = literalOf(source);
        const about = fill(template, match, literal);
        const who = fill(name, match, literal);
        const question = slot === undefined ? undefined : fill(slot, match, literal);
        return about === undefined || who === undefined || who === ""
          ? undefined
          : entity(language, who, who, about, question);
      },
    }),
  };
}

/** The German article of a role by its ending. */
const withArticle = (subject: string): string =>
  subject.replace(/^\{article\} (\S+)/, (_, role: string) => `${articleOf(role)} ${role}`);

const articleOf = (noun: string): string => {
  if (/(?:in|ung|ion|eit|Demo|Klausur|Taufe|OP|Messe|Premiere)$/.test(noun)) return "Die";
  return /(?:Konzert|Fest|gespräch)$/.test(noun) ? "Das" : "Der";
};

/** The kind of fact that a new bearer of a role replaces. */
export const kindOfRole = (role: string): FactKind | undefined =>
  ROLES.find(([, form]) => form.test(role))?.[0];
const ROLES: readonly (readonly [kind: FactKind, form: RegExp])[] = [
  ["dentist", /dentist|zahn|牙/iu],
  ["landlord", /landl|vermieter|propri|房东/iu],
  ["doctor", /gp|doctor|arzt|ärztin|médecin|généraliste|医生/iu],
];
