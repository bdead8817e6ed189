/** Words without meaning of their own: function words and polite phrases. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a about all also am an and any are as at awesome back be because been bye can care cool could did do does doing don for from get getting go good goodbye got great " +
    "had haha has have having he hello her hers hey hi him his hope how i if in into is it its just know later let like lol m me more much my myself nice night no not now of oh " +
    "ok okay on or our ours out please re really s see she should so some soon sounds sure t take talk thank thanks that the their them then there these they this " +
    "those time to too up us ve very was way we welcome well were what when where which who why will with wow would yeah yep yes you your yours d ll bit got it's i'm that's " +
    "don't can't didn't i've you're let's it'll won't doesn't isn't there's"
  ).split(" "),
);
/**
 * Chinese small talk. Sticky and without repetition, because `(?:…)+$` over these words takes exponential
 * time. No alternative ends with the beginning of another, so the longest match is always right.
 */
const SMALL_TALK =
  /(?:[你您]|早上?)?好的?|谢谢|多谢|感谢|嗯|是的?|对的?|没问题|不客气|再见|拜拜|辛苦了?|可以|行|明白了?|知道了|收到|哈|嗨|早上?|晚安|[了吧呢啊呀你您]/y;
const CJK_RUN = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]+/g;
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;

/** The content words of a text in lower case; Chinese, Japanese and Korean runs as pairs of characters. */
export function contentWords(text: string): string[] {
  const words: string[] = [];
  const rest = text.replace(CJK_RUN, (run) => {
    if (run.length === 1) words.push(run);
    for (let i = 0; i + 1 < run.length; i++) words.push(run.slice(i, i + 2));
    return " ";
  });
  for (const [word] of rest.matchAll(WORD)) {
    const plain = word.toLowerCase().replaceAll("’", "'");
    if (!EMPTY_WORDS.has(plain)) words.push(plain);
  }
  return words;
}

export function hasContent(text: string): boolean {
  const runs = text.match(CJK_RUN) ?? [];
  if (runs.some((run) => !isSmallTalk(run))) return true;
  return contentWords(text.replace(CJK_RUN, " ")).length > 0;
}

function isSmallTalk(run: string): boolean {
  const word = new RegExp(SMALL_TALK);
  while (word.lastIndex < run.length) if (!word.test(run)) return false;
  return true;
}
