/**
 * A kind of question, and the form of passages that answer it. One line per kind, in the languages with known
 * question words.
 */
interface Cue {
  readonly asks: RegExp;
  readonly tells: RegExp;
}

const CUES: readonly Cue[] = [
  {
    asks: /\bwhy\b|\breasons?\b|\bwarum\b|\bwieso\b|\bpourquoi\b|por qué|为什么|為什麼|なぜ/i,
    tells:
      /\b(?:because|since|so that|therefore|otherwise|reasons?|weil|damit|denn|deshalb|parce que|car|porque)\b|因为|所以|以便|ため/i,
  },
  {
    asks: /\bhow (?:long|many|much|big|large|often|old|fast)\b|\blimits?\b|\bwie (?:viele?|lange|groß|oft)\b|\bcombien\b|\bcuánt[oa]s?\b|多少|多长|多大|几个/i,
    tells: /\p{Nd}/u,
  },
  {
    asks: /^(?:how (?:do|can|to|should)|wie\b|comment\b|cómo\b)|\bcommand\b|\bbefehl\b|如何|怎样|怎么|どうやって/i,
    tells:
      /(?:^|\n)\s*(?:\$|#|>)\s|\b(?:npm|apt|git|sudo|set|use|run|call)\b|\w\(|\/etc\/|--\w|\b[A-Z]+_[A-Z_]+\b/,
  },
  { asks: /\bwhere\b|\bwo\b|\boù\b|\bdónde\b|哪里|どこ/i, tells: /(?:^|[\s"'`(])[~.]?\/[\w.-]+|\w:\\/ },
  {
    asks: /\bwhen\b|\bwann\b|\bquand\b|\bcuándo\b|什么时候|いつ/i,
    tells: /\p{Nd}|\b(?:after|before|until|day|week|month|nach|vor)\b/iu,
  },
];

/**
 * Whether a passage contains the kind of thing that a question asks for: a reason, a number, a command, a
 * place.
 */
export function answersKind(query: string): (passage: string) => boolean {
  const cues = CUES.filter(({ asks }) => asks.test(query));
  return (passage) => cues.some(({ tells }) => tells.test(passage));
}
