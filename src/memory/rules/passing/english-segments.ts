/** Words with which a new clause begins behind a comma or a conjunction. */
const SUBJECT =
  "(?:i|we|please|my|our|he|she|they|im|ive|(?:i|we|he|she|they|it)['’](?:m|re|ve|s|ll|d)|it is|the other|used to)\\b";
/** Finite forms with which an elliptic clause begins. */
const ELLIPTIC =
  "(?:haven['’]?t|can['’]?t|don['’]?t|never|been|allergic|vegetarian|vegan|currently|running|working|using|living|doing|moved|switched|quit|got|went|work|live|need|no longer|originally|born|based|still|mostly|usually|always|now|recently|just|traded|put in|transferred|tried|bought|sold|love|hate|not a fan)\\b";
const BREAK = new RegExp(
  `\\s[-–—]+\\s|[;…]+\\s*|\\.{3}\\s*|:\\s+(?=${SUBJECT}|\\p{Lu})|[,(]\\s*(?=(?:(?:and|but|so|because|since|as|cause|plus|also|though|although|while|whereas|actually|honestly|btw|by the way) )*(?:${SUBJECT}|${ELLIPTIC}|the \\w+ (?:is|are|was|has)\\b|\\p{Lu}\\p{L}+(?: \\p{L}+)? (?:is|owns|leads|handles|runs|does|looks after|works|lives|plays|has)\\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b))|\\s(?:and|but|so|because|since|cause|although|though|whereas)\\s+(?=(?:now |then |also |usually |currently |honestly |actually )?${SUBJECT})|,\\s*(?=(?:the |my |our )?[\\p{Ll}-]{2,20}(?: [\\p{Ll}-]{2,20})?(?:['’]s| is| are| was) )|\\?\\s+`,
  "iu",
);
/** First-person verbs that continue the clause of the speaker behind "and". */
const SHARED =
  /^((?:i|we)(?:['’](?:m|re|ve))? [^,]{3,120}?),? and ((?:also |usually |mostly |now )?(?:live|work|do|use|have|love|hate|play|run|teach|study|drive|own|speak|go|take|look after|sing|volunteer|coach|moved|bought|switched|joined|started|quit|left|plan|am|'m)\b.+)$/iu;

/** Splits a sentence into clauses. */
export function englishParts(sentence: string): string[] {
  return sentence.split(BREAK).flatMap((part) => {
    const [, first, second] = SHARED.exec(part.trim()) ?? [];
    return first === undefined || second === undefined ? [part] : [first, `I ${second}`];
  });
}

const SMALL_TALK =
  /^(?:(?:hey|hi|hello|yes|yeah|no|nope|ok|okay|oh|well|so|and|but|also|plus|right|sure|thanks|cheers|sorry|great|cool|btw|by the way|fyi|just so you know|for context|for the record|quick (?:bit of )?background|background|a bit about me|about me|actually|honestly|personally|basically|unfortunately|sadly|luckily|update|correction|small correction|heads up|big news|good news|news|note|because|since|as|cause|though|although|while|whereas|just|turns out|in fact|anyway|alas|guess what|ps|oh and|to be honest|tbh|these days|nowadays|mind you)[,!.:]*\s+)+(?=\S)/i;
const TRAILING =
  /[\s,]+(?:btw|by the way|fyi|lol|haha|tbh|though|anyway|if that helps|sadly|unfortunately|just so you know|please|thanks|honestly|these days)[.!]*$/i;

/** Spellings without apostrophes, and spoken short forms. */
const WRITTEN: readonly (readonly [form: RegExp, full: string])[] = [
  [/[’]/g, "'"],
  [/(?<![\p{L}'])im (?=\p{L})/giu, "I'm "],
  [/(?<![\p{L}'])ive (?=\p{L})/giu, "I've "],
  [/(?<![\p{L}'])i'?d've /giu, "I would have "],
  [/\b(ca|do|does|is|are|was|have|has|did|wo)nt\b/gi, "$1n't"],
  [/\b(he|she|it|who|that|what|there)s (?=(?:a|an|the|in|on|at|got|been|allergic|called)\b)/gi, "$1's "],
  [/(?<![\p{L}'])i(?=[ '])/gu, "I"],
  [/\bgonna\b/gi, "going to"],
  [/\bI(?:'ve)? gotta\b/g, "I have to"],
  [/^I've (?=(?:an?|two|three|four|no|the) )/g, "I have "],
  [/^(I|We) (?:really |just |absolutely )+(?=\p{Ll})/gu, "$1 "],
  [
    /^(my|our|the) ([\p{L} -]{2,30})'s (?=(?:an?|the|on|in|at|now|called|\d|due|from|studying|training|learning|allergic|\p{Lu})(?!\p{L}))/giu,
    "$1 $2 is ",
  ],
  [/\b(left|right|red-green colou?r|colou?r) (handed|blind)\b/gi, "$1-$2"],
  [/^(?:my|our) [\p{L}-]+ (?:\p{Lu}\p{L}+ )?and (?:I|me) (?=\p{Ll})/giu, "We "],
  [/\b(used to be) (?=\p{Lu})/gu, "used to live in "],
];

/** "Haven't touched alcohol": the subject is left out. */
const WITHOUT_SUBJECT: readonly (readonly [form: RegExp, subject: string])[] = [
  [
    /^(?:haven't|can't|cannot|don't|never|used to|quit|have|got|moved|switched|need|work|live|love|hate|drink|eat|play|drive|bought|sold|joined|left|started|gave up|stopped|speak|prefer|grew up|no longer|lift|cycle|commute|take|traded|transferred|broke up|split up|married|adopted|inherited|lost|graduated|turned|learned|became|retired|own|rent|collect|run|teach|study|bike|walk|swim)\b(?! (?:me|us|you|your|this|that|it|the|care of (?:this|it))\b)/i,
    "I ",
  ],
  [/^been (?=\w)/i, "I've "],
  [/^traded (?=(?:it|her|him|that|my|our)\b)/i, "I "],
  [
    /^(?:allergic|vegetarian|vegan|lactose intolerant|married|single|retired|diabetic|coeliac|left-handed|colou?r-?blind|based in|originally from|born (?:in|and)|running|working|using|living|saving|training|studying|learning|on (?=insulin|statins|antidepressants|maternity|metformin))\b/i,
    "I'm ",
  ],
];

/** Clauses that state nothing: questions, requests, hearsay, wishes. */
const NO_STATEMENT =
  /^(?:what|whats|what's|how|why|where|when|who|which|is|are|am|do|does|did|can (?!['’]t)|could|would|should|will|shall|may|let|let's|tell|show|give|make|write|help|explain|find|suggest|recommend|any|anyone|thanks|if|suppose|imagine|say|pretend|maybe|perhaps|probably|i can be|i (?:think|guess|wish|hope|wonder|suppose|believe|heard|reckon|feel|could|might|would|should|may)|he (?:said|says)|she (?:said|says)|they (?:say|said)|apparently)\b(?!['’]t)|\b(?:like me to|lol my)\b/i;

/** "Since the move I …": what stands before the subject goes behind the verb. */
const FRONTED =
  /^(?:since|after|during|most|on|in|every|at) (?!(?:I|we|my|our)\b)[^,]{2,30}?,? (?=(?:I|we) )/i;
/** "Two cats here, Biscuit and Mr. Pemberton": what the speaker has. */
const HERE =
  /^((?:an?|one|two|three|four|five|\d) (?:\p{L}+ )?(?:cats?|dogs?|kids|children|hens|rabbits|boys|girls|sons|daughters|horses)) (?:here|at home)\b/iu;

/** A clause as a full statement; undefined if it is none. */
export function englishStatement(part: string): string | undefined {
  let text = part.replace(SMALL_TALK, "").replace(SMALL_TALK, "");
  for (let cut = text.replace(TRAILING, ""); cut !== text; cut = text.replace(TRAILING, "")) text = cut;
  for (const [form, full] of WRITTEN) text = text.replace(form, full);
  text = text.trim();
  if (text.length < 5 || NO_STATEMENT.test(text)) return undefined;
  const fronted = FRONTED.exec(text);
  if (fronted)
    return `${text.slice(fronted[0].length)} ${fronted[0]
      .trim()
      .replace(/,$/, "")
      .replace(/^\p{Lu}/u, (first) => first.toLowerCase())}`;
  if (HERE.test(text)) return text.replace(HERE, (_, what: string) => `I have ${what.toLowerCase()}`);
  for (const [form, subject] of WITHOUT_SUBJECT)
    if (form.test(text))
      return `${subject}${text[0]?.toLowerCase()}${text.slice(1)}`.replace("I'm on", "I'm on");
  return text;
}
