/** Languages with stemming rules; all other text is treated as English. */
export type StemmedLanguage = "de" | "fr" | "es" | "it" | "pt" | "nl";

/**
 * Function words by language: removed from queries, and used to detect a text's language. `distinctive` words
 * hardly occur in English or the other languages; `shared` words do.
 */
const FUNCTION_WORDS: Readonly<
  Record<StemmedLanguage, { readonly distinctive: string; readonly shared: string }>
> = {
  de: {
    distinctive:
      "der das den dem ein eine einen einem einer eines und oder aber nicht ist sind wird werden wurde " +
      "wurden kann können könnte muss müssen soll sollte ich wir ihr sie mein meine meinen meinem " +
      "meiner dein deine seine ihre ihren unser unsere auf aus bei mit nach seit von vom zum zur für " +
      "über unter zwischen durch gegen ohne wie wer wo wann warum welche welcher welches welchen wieso " +
      "weshalb wenn weil dass daß damit auch noch nur schon sehr dieser diese dieses diesen keine kein " +
      "keinen haben habe gibt sich mir mich dir dich uns euch einmal bitte etwas beim ins ans als",
    shared: "die was war hat an am in im es er so man zu um es du hier mag will bin bis da",
  },
  fr: {
    distinctive:
      "les des une est sont était été être avoir avec dans pour sur qui quoi dont où quand comment " +
      "pourquoi quel quelle quels quelles combien ce cette mon ma sa ses notre votre leur leurs je tu " +
      "elle nous vous ils elles ne aux du au mais donc peut peuvent faire cela ça ou et très",
    shared:
      "le la un de en a y on son l d s n qu c j t m que par sous ces mes ton il pas car lors fait si " +
      "plus chez entre vers à faut fera était encore aussi alors",
  },
  es: {
    distinctive:
      "los las una unos unas está están estar fue por para sobre qué quién cómo cuándo dónde cuál " +
      "cuáles cuánto cuántos tus nuestro nuestra ellos ellas nosotros usted ustedes hay pero porque " +
      "también muy más esta estos estas ese eso aquel puede pueden tiene tengo hacer como lo sí",
    shared:
      "el la un de en y o a e mi tu su se no es son que me te le si yo él del ser con sin entre mis " +
      "este al",
  },
  it: {
    distinctive:
      "gli dello della dei degli delle nel nello nella nei nelle sulla dalla dalle alla alle allo agli " +
      "una sono è stato essere avere che chi quando dove perché quale quali quanto quanti mio mia miei " +
      "questo questa questi queste quello anche più può possono hanno",
    shared:
      "lo la le un in a e o come con si se mi ti ci i su da sul dal uno non per tra fra ho hai di il ed",
  },
  pt: {
    distinctive:
      "uma umas das pelo pela pelos pelas não são está estão foi para sem sobre quem quando onde porque " +
      "porquê qual quais quanto quantos meu minha seu sua nosso isto isso aquele esse essa também mais " +
      "muito pode podem tem tenho fazer você eles elas nós à numa",
    shared:
      "o a as de do da e no na nos nas por que se como eu ele ela os uns dos ser com este ao às em um " +
      "num",
  },
  nl: {
    distinctive:
      "het een van voor niet zijn wordt worden werd kan kunnen moet moeten zal zullen ik jij wij zij " +
      "mijn jouw haar ons onze deze dat uit bij naar om te hoe wie waar wanneer waarom welke wat ook " +
      "nog maar geen heeft hebben hebt",
    shared: "de en of in is op aan we ze je u hij was door over tot dit met als dan er",
  },
};

/** English words that count against another language. */
const ENGLISH: ReadonlySet<string> = new Set(
  (
    "the of and to is are was were for with that this it its on as by be from at or an not which what how " +
    "why who where when can do does you your have has if will should i my we a in"
  ).split(" "),
);

const STOP_WORDS = new Map<StemmedLanguage, ReadonlySet<string>>();
/** Languages of each function word, with its weight as evidence. */
const FUNCTION_WORD_WEIGHTS = new Map<string, [StemmedLanguage, number][]>();

/** Letters that hardly occur in other languages. */
const LETTERS: readonly (readonly [RegExp, StemmedLanguage])[] = [
  [/[äöüß]/, "de"],
  [/[ñ¿¡]/, "es"],
  [/[ãõ]/, "pt"],
  [/[œèêîôûù]/, "fr"],
];

/** Maximum UTF-16 units of a text that are examined to detect its language. */
const MAX_READ = 800;
/** Weights of evidence: a distinctive function word, a distinctive letter, another function word. */
const DISTINCTIVE_WORD = 2;
const DISTINCTIVE_LETTER = 2;
const OTHER_WORD = 1;
/** Weight against a language: an English function word that the language does not have. */
const ENGLISH_WORD = 3;
/** Minimum evidence, in total and per distinct word: a single word may be a name. */
const MIN_EVIDENCE = 2;
const MIN_EVIDENCE_PER_WORD = 0.2;
const WORDS = /[\p{L}\p{M}]+/gu;
const ASCII_WORDS = /[A-Za-z]+/g;
const BEYOND_ASCII = /[^\u0000-\u007f]/;

for (const [language, { distinctive, shared }] of Object.entries(FUNCTION_WORDS) as [
  StemmedLanguage,
  { distinctive: string; shared: string },
][]) {
  const telling = new Set(distinctive.split(" "));
  const all = new Set([...telling, ...shared.split(" ")]);
  STOP_WORDS.set(language, all);
  for (const word of all) {
    if (!telling.has(word) && ENGLISH.has(word)) continue;
    const weight = telling.has(word) ? DISTINCTIVE_WORD : OTHER_WORD;
    FUNCTION_WORD_WEIGHTS.set(word, [...(FUNCTION_WORD_WEIGHTS.get(word) ?? []), [language, weight]]);
  }
}

/**
 * Detects the language of a text from its function words and letters; undefined for English, for a tie, and
 * if unknown.
 */
export function languageOf(text: string): StemmedLanguage | undefined {
  const beginning = text.slice(0, MAX_READ).toLowerCase();
  const isBeyondAscii = BEYOND_ASCII.test(beginning);
  const read = isBeyondAscii ? beginning.normalize("NFC") : beginning;
  const evidence = new Map<StemmedLanguage, number>();
  const add = (language: StemmedLanguage, weight: number) =>
    evidence.set(language, (evidence.get(language) ?? 0) + weight);
  const words = new Set(read.match(isBeyondAscii ? WORDS : ASCII_WORDS));
  const english: string[] = [];
  for (const word of words) {
    if (ENGLISH.has(word)) english.push(word);
    // in code, short words are variable names
    if (word.length > 1)
      for (const [language, weight] of FUNCTION_WORD_WEIGHTS.get(word) ?? []) add(language, weight);
  }
  if (isBeyondAscii)
    for (const [letters, language] of LETTERS) if (letters.test(read)) add(language, DISTINCTIVE_LETTER);
  const [best, second] = [...evidence].sort((a, b) => b[1] - a[1]);
  if (best === undefined || best[1] === second?.[1]) return undefined;
  const [language, weight] = best;
  const against = ENGLISH_WORD * english.filter((word) => !stopWordsOf(language).has(word)).length;
  return weight > against && weight >= Math.max(MIN_EVIDENCE, MIN_EVIDENCE_PER_WORD * words.size)
    ? language
    : undefined;
}

/** Minimum share of a document's parts in its language. */
const MIN_PARTS_SHARE = 0.1;

/**
 * Language of a document from those of its parts, for parts that are not certain: lists of options and
 * partly translated pages have few function words. Undefined if hardly any part is certain.
 */
export function languageOfParts(
  parts: readonly (StemmedLanguage | undefined)[],
): StemmedLanguage | undefined {
  const counts = new Map<StemmedLanguage, number>();
  for (const language of parts) if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most !== undefined && most[1] >= MIN_PARTS_SHARE * parts.length ? most[0] : undefined;
}

export const stopWordsOf = (language: StemmedLanguage): ReadonlySet<string> =>
  STOP_WORDS.get(language) ?? new Set();

/** Chinese function words; longer ones come first, so that they are removed as a whole. */
const CHINESE_FUNCTION_WORDS = new RegExp(
  [
    "为什么|為什麼|什么样|怎么样|怎么办|怎么|怎样|怎樣|如何|什么|什麼|哪里|哪裡",
    "哪儿|哪个|哪些|哪种|多少|几个|是否|能否|可以|应该|應該|需要|能够|不能|请问",
    "知道|一个|这个|那个|这些|那些|我们|你们|他们|它们|自己",
    "以及|或者|还是|但是|因为|所以|如果|就是|不是|没有|时候|之前|之后|进行|使用",
    "的|了|吗|嗎|呢|吧|啊|是|在|和|与|與|或|也|都|就|而|但|把|被|让|给|从",
    "到|于|这|那|哪|谁|我|你|您|他|她|它|很|要|会|能|有|着|得|其",
  ].join("|"),
  "g",
);
/** Beginnings and ends of Japanese questions. Particles are kept, because they also occur inside words. */
const JAPANESE_QUESTION_WORDS = new RegExp(
  [
    "どうすれば(?:よい|いい|良い)|どうしたら(?:よい|いい|良い)|どのように(?:して|すれば)?",
    "どうやって|なぜ|どうして|(?:何|なに|なん|どれ|どこ|いつ|誰|どう)?(?:です|でしょう)か",
    "(?:教えて)?ください|ますか|(?:する)?ことができ(?:る|ます)|方法は何",
  ].join("|"),
  "g",
);
const KANA = /[\u3040-\u30ff]/;

/**
 * The parts of a CJK run between function words (Chinese) or question words (Japanese); the run itself if
 * there are no other parts.
 */
export function cjkContent(run: string): string[] {
  const parts = run
    .split(KANA.test(run) ? JAPANESE_QUESTION_WORDS : CHINESE_FUNCTION_WORDS)
    .filter((part) => part !== "");
  return parts.length > 0 ? parts : [run];
}
