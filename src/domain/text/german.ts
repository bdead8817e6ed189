import { stemmer } from "@orama/stemmers/german";

const PREFIXES =
  "ab|an|auf|aus|bei|durch|ein|fest|frei|herunter|her|hinzu|hin|los|mit|nach|um|vor|weg|wieder|zurück|zusammen|zu";
/** A regular participle: gesperrt, gesperrten, hinzugefügt. */
const PARTICIPLE = new RegExp(`^(${PREFIXES})?ge(?!hör)(.{3,}?)e?(?<!ich|i|äf|al|am|lech|ur)t(?:e[mnrs]?)?$`);
/** An infinitive with "zu" inside: anzuzeigen. */
const INFINITIVE = new RegExp(`^(?!hinzu(?!zu))(${PREFIXES})zu(.{3,}e?n)$`);
/** A third person, by endings that nouns rarely have: sperrt, zeigt, löscht, aktiviert. */
const THIRD_PERSON =
  /^(.{2,}(?:rr|ll|nn|mm|pp|tz|[^a]g|b|sch|ier|[^wz]er|el|ehr|üh|üg|ör|är|ür|äh|(?:nd|[rfl]t|it|ut|ch[nt]|dn|ff?n)(?=et))e?)t$/;
/** A genitive or plural after a vowel: Kontos. */
const VOWEL_S = /^(.{3,}[ao])s$/;

/**
 * The stem of a lower-case German word. Snowball leaves participles, third persons and the s after a vowel as
 * they are, so that "sperre" would not find "sperrt", "gesperrt" or "Kontos".
 */
export function germanStem(word: string): string {
  const participle = PARTICIPLE.exec(word);
  if (participle) return stemmer(infinitive(`${participle[1] ?? ""}${participle[2] ?? ""}`));
  const inside = INFINITIVE.exec(word);
  if (inside) return stemmer(`${inside[1]}${inside[2]}`);
  const [, verb] = THIRD_PERSON.exec(word) ?? [];
  if (verb !== undefined) return stemmer(infinitive(verb));
  return stemmer(VOWEL_S.exec(word)?.[1] ?? word);
}

const infinitive = (verb: string): string => `${verb}${/e[lr]?$/.test(verb) ? "n" : "en"}`;
