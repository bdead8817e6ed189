/** Special characters of groff that differ from their names (groff_char(7)); accents are composed. */
const CHARACTERS: Readonly<Record<string, string>> = {
  lq: "“",
  rq: "”",
  oq: "‘",
  cq: "’",
  aq: "'",
  Aq: "'",
  dq: '"',
  Bq: "„",
  Fo: "«",
  Fc: "»",
  fo: "‹",
  fc: "›",
  en: "–",
  em: "—",
  hy: "-",
  bu: "•",
  co: "©",
  rg: "®",
  R: "®",
  tm: "™",
  Tm: "™",
  de: "°",
  mu: "×",
  di: "÷",
  "+-": "±",
  "->": "→",
  "<-": "←",
  ">=": "≥",
  "<=": "≤",
  "!=": "≠",
  "~=": "≈",
  ti: "~",
  ha: "^",
  ga: "`",
  rs: "\\",
  sl: "/",
  ba: "|",
  at: "@",
  sh: "#",
  Do: "$",
  Eu: "€",
  Po: "£",
  Ye: "¥",
  sc: "§",
  ss: "ß",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  OE: "Œ",
  "/o": "ø",
  "/O": "Ø",
  oa: "å",
  oA: "Å",
  "r!": "¡",
  "r?": "¿",
};

const ACCENTS: Readonly<Record<string, string>> = {
  ":": "\u0308",
  "'": "\u0301",
  "`": "\u0300",
  "^": "\u0302",
  "~": "\u0303",
  ",": "\u0327",
  v: "\u030c",
};

/**
 * Escapes of one character that represent another character; all others, such as `\&` and `\%`, represent
 * nothing.
 */
const SINGLE: Readonly<Record<string, string>> = {
  "~": " ",
  " ": " ",
  "0": " ",
  "-": "-",
  e: "\\",
  E: "\\",
  "\\": "\\",
  ".": ".",
  "'": "'",
  "`": "`",
  t: " ",
  _: "_",
};

/**
 * Alternatives: fonts, sizes, colours, registers; strings; special characters; functions; comments; the rest.
 */
const ESCAPE =
  /\\(?:(?:[fFmMgknVY]|s[+-]?)(?:\[[^\]]{0,40}\]|\(.{2}|.)|[hvwlLbDNxZoASRXC]'[^']{0,200}'|\*(?:\[([^\]]{1,40})\]|\((.{2})|(.))|\[([^\]]{1,40})\]|\((.{2})|"[^\n]*|(.)|$)/g;

/** Replaces the escapes in a line of roff with the characters that they represent. */
export const withoutEscapes = (line: string): string =>
  line.includes("\\")
    ? line
        .replace(ESCAPE, (_, ...found: (string | undefined)[]) => {
          const [long, pair, one, name, short, single] = found;
          const special = long ?? pair ?? one ?? name ?? short;
          return special === undefined ? (SINGLE[single ?? ""] ?? "") : character(special);
        })
        .normalize()
    : line;

function character(name: string): string {
  const code = /^u([\dA-F]{4,6})$/.exec(name)?.[1];
  if (code !== undefined) {
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : "";
  }
  const [accent = "", letter = ""] = name;
  const isAccented = name.length === 2 && /[a-z]/i.test(letter) && Object.hasOwn(ACCENTS, accent);
  if (Object.hasOwn(CHARACTERS, name)) return CHARACTERS[name] ?? "";
  return isAccented ? `${letter}${ACCENTS[accent]}` : "";
}
