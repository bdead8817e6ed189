import { sentencesOf } from "../../domain/text/sentences.ts";
import type { Utterance } from "../utterance.ts";
import { KeyWords, wordsOf } from "./key-words.ts";

/** Maximum length of a message with a request; longer ones are pasted text rather than speech. */
const MAX_TEXT_LENGTH = 600;
const MAX_SENTENCE_LENGTH = 300;

const ASKED = "(?:please,? |(?:can|could|would|will) you (?:please )?|i(?: want|['’]d like) you to )";
const TOLD = "(?:you know|i (?:ever )?(?:said|told you|have said)|we (?:said|discussed))";
const GERMAN_TOLD = "(?:,? was (?:du weißt|ich (?:dir )?(?:gesagt|erzählt) habe))?";
const FRENCH_ASKED = "(?:(?:s['’]il (?:te|vous) pla[iî]t|stp|svp),? )";

/** Explicit forget requests, with what to forget. "Forget the milk" is not one. */
const REQUESTS: readonly RegExp[] = [
  new RegExp(
    `^${ASKED}?forget (?:the fact )?that (.+)$|^${ASKED}?forget (?:everything|all|anything|what)(?: that)?(?: ${TOLD})? about (.+)$|^${ASKED}forget (?:about )?(.+?)(?:,? please)?$|^forget (?:about )?(.+?),? please$`,
    "iu",
  ),
  new RegExp(
    `^(?:bitte )?(?:vergiss|vergesst|vergessen sie)(?: bitte)?,? dass (.+)$|^(?:bitte )?(?:vergiss|vergesst|vergessen sie)(?: bitte)? alles(?:${GERMAN_TOLD},?)? über (.+)$|^bitte (?:vergiss|vergesst|vergessen sie) (.+)$|^(?:vergiss|vergesst|vergessen sie) bitte (.+)$`,
    "iu",
  ),
  new RegExp(
    `^${FRENCH_ASKED}?(?:oublie|oubliez|veuillez oublier) (?:que |qu['’])(.+)$|^${FRENCH_ASKED}?(?:oublie|oubliez|veuillez oublier) (?:tout|ce) (?:ce )?(?:que (?:je t['’]ai|j['’]ai|je vous ai) dit )?(?:sur|à propos de|concernant) (.+)$|^${FRENCH_ASKED}(?:oublie|oubliez) (.+)$|^(?:oublie|oubliez) (.+?),? (?:s['’]il (?:te|vous) pla[iî]t|stp|svp)$`,
    "iu",
  ),
  /^请你?(?:忘记|忘掉|忘了)(?:关于)?(.+)$|^(?:忘记|忘掉)(?:关于)(.+)$|^(?:忘记|忘掉)(我[住在是叫有喜爱不的].+)$/u,
];

/** Words that do not identify anything; requests without other words are ignored. */
const VAGUE: ReadonlySet<string> = new Set(
  (
    "anything everything all thing things said told say message messages conversation chat question request last previous " +
    "earlier above first rest whole stuff one idea point es das alles ganze ganzen nachricht nachrichten gespräch letzte " +
    "letzten vorige gesagte gesagt habe ça cela tout message dernier dernière précédent question dit " +
    "这个 那个 一切 所有 刚才 的话 说的 的事 我说 事情"
  ).split(" "),
);

/** Fast check whether a text may contain a request. */
export const mayAskToForget = (text: string): boolean => /forget|vergiss|vergess|oubli|忘/i.test(text);

export interface ForgetRequest {
  /** Id of the message with the request. */
  readonly message: string;
  /** The sentence with the request, verbatim. */
  readonly sentence: string;
  readonly what: KeyWords;
}

/**
 * Finds explicit forget requests by users. A request is a whole sentence in a short message of the user: not
 * quoted, not code, not from a tool or agent, and not between people. Runs in steps of at most a millisecond.
 */
export function* forgetRequestSteps(utterances: readonly Utterance[]): Generator<undefined, ForgetRequest[]> {
  const requests: ForgetRequest[] = [];
  for (const { id, role, isNamed, text } of utterances) {
    if (role !== "user" || isNamed || text.length > MAX_TEXT_LENGTH || !mayAskToForget(text)) continue;
    yield;
    for (const sentence of sentencesOf(ownWords(text))) {
      const what = whatIn(sentence);
      if (what) requests.push({ message: id, sentence, what });
    }
  }
  return requests;
}

/** A text without code and quotations. */
const ownWords = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    // without line breaks before the mark, which would take quadratic time
    .replace(/^[^\S\r\n]*>.*$/gm, "")
    .replace(/^.*(?:["“”„«»]|[`「」『』]|:\s*$).*$/gm, "");

function whatIn(sentence: string): KeyWords | undefined {
  const isQuestion = /[?？]\s*$/.test(sentence) && !/^(?:can|could|would) you /i.test(sentence);
  if (sentence.length > MAX_SENTENCE_LENGTH || isQuestion) return undefined;
  const plain = sentence.replace(/[\s.!?。！？…]+$/u, "").replace(/\s+/g, " ");
  for (const pattern of REQUESTS) {
    const [, ...groups] = pattern.exec(plain) ?? [];
    const object = groups.find((group) => group !== undefined);
    if (object === undefined) continue;
    const isVague = [...wordsOf(object)].every((word) => VAGUE.has(word));
    return isVague ? undefined : new KeyWords(object);
  }
  return undefined;
}
