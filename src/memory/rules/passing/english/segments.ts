import { ENGLISH_KIN } from "./general.ts";

/** Words that begin a new clause after a comma or a conjunction. */
const SUBJECT =
  "(?:i|we|please|my|our|he|she|they|im|ive|(?:i|we|he|she|they|it)['’](?:m|re|ve|s|ll|d)|it is|the other|used to)\\b";
/** Verb forms that begin a clause without a subject. */
const ELLIPTIC =
  "(?:retired|raised|brought up|divorced|single|retraining|haven['’]?t|can['’]?t|don['’]?t|never|been|allergic|vegetarian|vegan|currently|running|working|using|living|doing|moved|switched|quit|got|went|work|live|need|no longer|originally|born|based|still|mostly|usually|always|now|recently|just|traded|put in|transferred|tried|bought|sold|love|hate|not a fan)\\b";
const BREAK = new RegExp(
  `\\s[-–—]+\\s|[;…]+\\s*|\\.{3}\\s*|:\\s+(?=${SUBJECT}|\\p{Lu})|[,(]\\s*(?=(?:(?:and|but|so|because|since|as|cause|plus|also|though|although|while|whereas|actually|honestly|btw|by the way) )*(?:${SUBJECT}|${ELLIPTIC}|the \\w+ (?:is|are|was|has)\\b|\\p{Lu}\\p{L}+(?: \\p{L}+)? (?:is|owns|leads|handles|runs|does|looks after|works|lives|plays|has)\\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b))|,?\\s(?:and|but)\\s+(?=(?:his|her|their|the) [\\p{L}'’ ]{2,30} (?:is|are|was|has|runs|starts|keeps|needs)\\b)|,\\s+(?=(?:at|in|on|for|after|during) [\\p{L} ]{2,20} (?:i|we) \\p{L})|\\s(?:and|but|so|because|since|cause|although|though|whereas)\\s+(?=(?:now |then |also |usually |currently |honestly |actually )?${SUBJECT})|,\\s*(?=(?:the |my |our )?[\\p{Ll}-]{2,20}(?: [\\p{Ll}-]{2,20})?(?:['’]s| is| are| was) )|\\?\\s+`,
  "iu",
);
/** "and" with a first-person verb: the verb has the subject of the clause before. */
const SHARED =
  /^((?:i|we)(?:['’](?:m|re|ve))? [^,]{3,120}?),? and ((?:also |usually |mostly |now )?(?:live|work|do|use|have|love|hate|play|run|teach|study|drive|own|speak|go|take|look after|sing|volunteer|coach|moved|bought|switched|joined|started|quit|left|plan|am|'m)\b.+)$/iu;

/** Conjunctions of a reason, whose clause is asserted: "given that I'm left-handed and play bass". */
const REASON =
  /^(?:and |but |so )?(?:given(?: that)?|seeing (?:that|as|how)|considering(?: that)?|now that|since|because|being that|knowing(?: that)?|bearing in mind(?: that)?) (?=(?:I|we|my|our|im|ive)(?![\p{L}]))/iu;

/** Two states with one verb: "I'm 67 and retired". */
const SHARED_STATE =
  /^(i['’]?m [^,]{2,60}?) (?:and|n|&) ((?:retired|married|single|divorced|widowed|vegan|vegetarian|diabetic|pregnant|self-employed|an? \p{L}{4,}|from \p{Lu}|(?:still |now |currently )?(?:working|doing|living|studying|training|teaching|raising|looking after|caring for|recovering|running) ).*)$/iu;

/** A person with an apposition: "my sister Ana, a nurse in Porto, …". */
const BESIDE =
  /(?<!\p{L})((?:my|our) (?:[\p{Ll}-]+ ){0,2}[\p{Ll}-]+(?: \p{Lu}[\p{L}'’-]+)?)(?:, (\d{1,2}|an? [\p{L}][^,.!?]{3,40})(?:,|(?=[.!]?$))| \((\d{1,2})\))/giu;
/** The colon before a date, replaced by a verb: "Deadline: 9 July". */
const DATED =
  / ?: (?=(?:the )?\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))/gu;
const KIND = new RegExp(`^(?:my|our) ${ENGLISH_KIN}(?: \\p{Lu}|$)`, "iu");

/** Splits a sentence into clauses. */
export function englishParts(sentence: string): string[] {
  const beside: string[] = [];
  const plain = sentence
    .replace(DATED, " is on ")
    .replace(BESIDE, (said, person: string, what?: string, age?: string) => {
      if (!KIND.test(person)) return said;
      beside.push(`${person} is ${what ?? age}`);
      return person;
    });
  return [...beside, ...clauses(plain)];
}

function clauses(sentence: string): string[] {
  return sentence.split(BREAK).flatMap((given) => {
    const part = given.trim().replace(REASON, "");
    const [, being, state] = SHARED_STATE.exec(part.trim()) ?? [];
    if (being !== undefined && state !== undefined) return [being, `I'm ${state}`];
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
  [/^(?:both|all)(?: of)? (?=(?:my|our) )/giu, ""],
  [/^it's (\p{Lu}\p{Ll}+) (?:who|that) (?=\p{Ll}+s )/gu, "$1 "],
  [/(?<![\p{L}'])im (?=\p{L})/giu, "I'm "],
  [/(?<![\p{L}'])ive (?=\p{L})/giu, "I've "],
  [/(?<![\p{L}'])i'?d've /giu, "I would have "],
  [/\b(ca|do|does|is|are|was|have|has|did|wo)nt\b/gi, "$1n't"],
  [/\b(he|she|it|who|that|what|there)s (?=(?:a|an|the|in|on|at|got|been|allergic|called)\b)/gi, "$1's "],
  [/(?<![\p{L}'])i(?=[ '])/gu, "I"],
  [/\b(brother|sister|mother|father|son|daughter)(s?) in law\b/gi, "$1$2-in-law"],
  [/\bgonna\b/gi, "going to"],
  [/(?<=\p{L}|\d) n (?=\p{Ll})/gu, " and "],
  [/\b(he|she)'s got (?=\p{L})/giu, "$1 has "],
  [/\b(in|for|on) this (repo|repository|codebase|project|app|team)\b/giu, "$1 the $2"],
  [/^(I'm|I am|we're|we are) (?:currently|now|still|actually|both) (?=\p{Ll})/giu, "$1 "],
  [
    /^(?:I )?(?:just )?got (?=(?:an?|two|three|four|five|six|\d+) (?:\p{Ll}+ )?(?:lads|boys|girls|kids|children|sons|daughters|brothers|sisters|cats|dogs|hens|horses|goats|twins|puppy|kitten|dog|cat)\b)/giu,
    "I have ",
  ],
  [
    /^(mum|mom|dad|nan|gran|grandad|grandma) (?=(?:is|has|lives|works|was|needs|can't|loves|hates|speaks)\b)/giu,
    "my $1 ",
  ],
  [/^(mum|mom|dad|nan|gran|grandad|grandma)'s (?=(?:in|at|on|an?|\d\d|from|got)\b)/giu, "my $1 is "],
  [/\bI(?:'ve)? gotta\b/g, "I have to"],
  [/^I've (?=(?:an?|two|three|four|no|the) )/g, "I have "],
  [/^(I|We) (?:really |just |absolutely )+(?=\p{Ll})/gu, "$1 "],
  [
    /^(my|our|the) ([\p{L} -]{2,30})'s (?=(?:an?|the|on|in|at|now|called|\d|due|from|studying|training|learning|allergic|\p{Lu})(?!\p{L}))/giu,
    "$1 $2 is ",
  ],
  [/\b(left|right|red-green colou?r|colou?r) (handed|blind)\b/gi, "$1-$2"],
  [/^(?:my|our) [\p{L}-]+ (?:\p{Lu}\p{L}+ )?and (?:I|me) (?=\p{Ll})/giu, "We "],
  [/^(?:me|I) and (?:my|our) [\p{L}-]+ (?:\p{Lu}\p{L}+ )?(?=\p{Ll})/giu, "We "],
  [/\b(used to be) (?=\p{Lu})/gu, "used to live in "],
];

/** Clauses whose subject is left out, with the subject: "Haven't touched alcohol". */
const WITHOUT_SUBJECT: readonly (readonly [form: RegExp, subject: string])[] = [
  [
    /^(?:shifted|relocated|haven't|can't|cannot|don't|never|used to|quit|have|got|moved|switched|need|work|live|love|hate|drink|eat|play|drive|bought|sold|joined|left|started|gave up|stopped|speak|prefer|grew up|no longer|lift|cycle|commute|take|traded|transferred|broke up|split up|married|adopted|inherited|lost|graduated|turned|learned|became|retired|own|rent|collect|run|teach|study|bike|walk|swim)\b(?! (?:me|us|you|your|this|that|it|the|care of (?:this|it))\b)/i,
    "I ",
  ],
  [/^got (?=the keys (?:to|for) )/i, "I "],
  [/^been (?=\w)/i, "I've "],
  [/^(?:was (?=(?:an?|in the|at|born|raised|brought up)\b)|(?=(?:born|raised|brought up) in\b))/i, "I "],
  [/^not (?=(?:an? )?(?:big |huge )?(?:fan|into|keen|allowed|religious|much of|good with)\b)/i, "I'm "],
  [
    /^(?:currently |still |mostly |now )?(?=(?:teaching|renting|raising|caring|coaching|retraining|training|commuting|volunteering|managing|leading|apprenticing|doing (?:an?|my) (?:phd|degree|apprenticeship|masters?|course|internship|placement)|writing (?:an?|my) (?:novel|book|thesis|dissertation))\b)/i,
    "I'm ",
  ],
  [
    /^(?=(?:off (?:the booze|alcohol|sugar|dairy|gluten|meat|caffeine)|self-employed|divorced|widowed|engaged|unemployed)\b)/i,
    "I'm ",
  ],
  [/^traded (?=(?:it|her|him|that|my|our)\b)/i, "I "],
  [
    /^(?:allergic|vegetarian|vegan|lactose intolerant|married|single|retired|diabetic|coeliac|left-handed|colou?r-?blind|based in|originally from|born (?:in|and)|running|working|using|living|saving|training|studying|learning|on (?=insulin|statins|antidepressants|maternity|metformin))\b/i,
    "I'm ",
  ],
];

/** Clauses that state nothing: questions, requests, hearsay, wishes. */
const NO_STATEMENT =
  /^(?:what|whats|what's|how|why|where|when|who|which|is|are|am|do|does|did|can (?!['’]t)|could|would|should|will|shall|may|let|let's|tell|show|give|make|write|help|explain|find|suggest|recommend|any|anyone|thanks|if|suppose|imagine|say|pretend|maybe|perhaps|probably|i can be|i (?:think|guess|wish|hope|wonder|suppose|believe|heard|reckon|feel|could|might|would|should|may)|he (?:said|says)|she (?:said|says)|they (?:say|said)|apparently)\b(?!['’]t)|\b(?:like me to|lol my)\b/i;

/** A phrase before the subject, which is moved to the end of the clause: "Since the move I …". */
const FRONTED =
  /^(?:since|after|during|most|on|in|every|at) (?!(?:I|we|my|our)\b)[^,]{2,30}?,? (?=(?:I|we) )/i;
/** What the speaker's household has: "Two cats here, Biscuit and Mr. Pemberton". */
const HERE =
  /^((?:an?|one|two|three|four|five|\d) (?:\p{L}+ )?(?:cats?|dogs?|kids|children|hens|rabbits|boys|girls|sons|daughters|horses)) (?:here|at home)\b/iu;

/** Introductory phrases that are dropped: "I reckon I should say that …". */
const MENTION =
  /^(?:(?:I )?(?:reckon|guess|suppose|figured|thought|think)(?: that)? I(?:'d| should| ought to| had)?(?: probably| maybe| better)* (?:mention|say|add|tell you|note|point out)|(?:I )?(?:should|ought to|might as well)(?: probably| maybe| also)* (?:mention|say|add|note|point out|tell you)|(?:it's |it is |maybe |perhaps |probably )*worth (?:mentioning|knowing|saying|noting|adding)|(?:keep|bear) in mind|for what it's worth|just to (?:say|mention|add)|(?:the )?thing is|forgot to (?:say|mention)|you (?:should|might want to) know|might help to know|did I (?:say|mention)|one (?:more )?thing)(?: that)?[,:]? (?=\S)/iu;

/** Completes a clause to a full statement; undefined if it states nothing. */
export function englishStatement(part: string): string | undefined {
  let text = part.replace(SMALL_TALK, "").replace(SMALL_TALK, "");
  for (let cut = text.replace(TRAILING, ""); cut !== text; cut = text.replace(TRAILING, "")) text = cut;
  for (const [form, full] of WRITTEN) text = text.replace(form, full);
  text = text.trim().replace(MENTION, "");
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
      return `${subject}${text[0]?.toLowerCase()}${text.slice(1)}`
        .replace(/^I born|^I raised|^I brought/, (said) => said.replace("I ", "I was "))
        .replace(/^(I'm) (?:currently|still|mostly|now) /, "$1 ");
  return text;
}
