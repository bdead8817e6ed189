/** Infinitives of verbs that express habits or lasting states; "=" precedes an irregular third person. */
const INFINITIVES =
  "wohnen leben arbeiten trinken benutzen nutzen verwenden spielen lernen studieren lieben hassen bevorzugen rauchen kochen " +
  "sammeln=sammelt unterrichten deployen joggen malen backen leiten kommen bewahren lagern heizen sparen trainieren bezahlen " +
  "zahlen besitzen leiden hören singen tanzen schreiben reiten wandern=wandert klettern=klettert schwimmen rudern=rudert " +
  "züchten pflegen betreuen führen entwickeln=entwickelt programmieren buchen mieten vermieten teilen tragen=trägt " +
  "schlafen=schläft fahren=fährt lesen=liest essen=isst sprechen=spricht treffen=trifft vergessen=vergisst geben=gibt " +
  "nehmen=nimmt laufen=läuft wiegen stehen gehen fliegen stammen machen brauchen besuchen feiern=feiert putzen nähen " +
  "stricken basteln=bastelt reparieren bauen verkaufen kaufen bestellen hüten setzen pendeln=pendelt duschen meiden vermeiden " +
  "fasten verdienen kosten bekommen kriegen erwarten speichern=speichert sichern=sichert hosten verwalten veröffentlichen " +
  "testen committen organisieren moderieren engagieren interessieren fürchten kümmern=kümmert ernähren reden telefonieren " +
  "frühstücken spenden surfen angeln=angelt boxen turnen zelten campen schnarchen stottern=stottert reagieren vertragen=verträgt " +
  "halten=hält ziehen=zieht jobben bloggen filmen fotografieren musizieren imkern=imkert töpfern=töpfert häkeln=häkelt " +
  "dirigieren betreiben unterstützen promovieren forschen kellnern=kellnert babysitten chatten räumen parken laden=lädt " +
  "waschen=wäscht trocknen=trocknet sortieren beginnen anfangen enden fangen=fängt hören verbringen abonnieren sitzen liegen " +
  "gärtnern=gärtnert meditieren beten=betet glauben kandidieren helfen=hilft heißen=heißt sehen=sieht schauen gucken " +
  "folgen tippen zeichnen=zeichnet übersetzen begleiten verpassen stellen bevorzugen schätzen verabscheuen streiten erlauben verbieten verstecken akzeptieren";

export const thirdFromInfinitive = (infinitive: string): string => {
  const stem = infinitive.replace(/e?n$/, "");
  return `${stem}${/[dt]$/.test(stem) ? "e" : ""}${/ß$|s$|z$/.test(stem) ? "t" : "t"}`;
};

/** Third-person forms by first-person form: "wohne", "wohn", "wohnen". */
export const THIRD: ReadonlyMap<string, string> = new Map(
  INFINITIVES.split(" ").flatMap((entry): [string, string][] => {
    const [infinitive = "", irregular] = entry.split("=");
    const third = irregular ?? thirdFromInfinitive(infinitive);
    const first = infinitive.replace(/n$/, "");
    const short = infinitive.replace(/e(?:l|r)n$/, (end) => `${end[1]}e`);
    const bare = infinitive.replace(/en$/, "");
    return [infinitive, first.endsWith("e") ? first : `${first}e`, short, bare].map((form) => [form, third]);
  }),
);
/** Third-person verb forms, singular and plural, for statements about other people. */
export const OTHERS: ReadonlySet<string> = new Set([
  ...THIRD.values(),
  ..."hat ist kann mag hat heißt beträgt befindet beginnt endet gehört besteht kostet wurde wurden war waren gießt bellt sind haben heißen können mögen trägt besucht ausgeht".split(
    " ",
  ),
  ...INFINITIVES.split(" ").map((entry) => entry.split("=")[0] ?? ""),
]);

/** Words with which a verb expresses a habit or a taste: frequency, "gern". */
export const OFTEN =
  /(?<!\p{L})(?:immer|nie|niemals|meist|meistens|oft|selten|manchmal|jede[nrsm]?|täglich|wöchentlich|monatlich|(?:mon|diens|mitt|donners|frei|sams|sonn)\p{Ll}*s|regelmäßig|normalerweise|gewöhnlich|ständig|dauernd|\p{Ll}+mal|morgens|mittags|abends|nachts|vormittags|nachmittags|am Wochenende|gerne?|ungern|lieber|am liebsten|seit|nur|hauptsächlich|vor allem|überwiegend|privat|beruflich|grundsätzlich|prinzipiell|fast)(?!\p{L})/u;

/** Complements that some verbs require, because the bare verb also describes a single moment. */
export const NEEDED: ReadonlyMap<string, RegExp> = new Map([
  [
    "geht",
    /(?:^|(?:tags|s) )(?:zum|zur|zu einer?m?|ins|in (?:die|den|eine?n?)) \p{Lu}|(?:schwimmen|joggen|laufen|klettern|tanzen|angeln|reiten|wandern|einkaufen)$/u,
  ],
  ["kommt", /(?:^|ursprünglich )aus \p{Lu}/u],
  [
    "macht",
    /(?:Yoga|Sport|Pilates|Musik|Kampfsport|Judo|Karate|Ausbildung|Urlaub|Homeoffice|Diät|Keramik|Abitur|Master|Bachelor|Praktikum|Steuererklärung)/u,
  ],
  ["gibt", /(?:Nachhilfe|unterricht|Kurse|Seminare)/iu],
  [
    "nimmt",
    /(?:^|\d |mg |täglich |Tag |morgens |abends )(?:\p{Lu}|kein|den (?:Bus|Zug)|die (?:Bahn|Pille|Straßenbahn|U-Bahn))/u,
  ],
  ["trifft", /(?:jede|\p{Ll}+tags|mal |immer)/u],
  ["bekommt", /(?:Migräne|Kopfschmerzen|Ausschlag|Kind|Zwillinge|Nachwuchs|Baby|Rente|Bafög|Heuschnupfen)/iu],
  ["kriegt", /(?:Migräne|Kopfschmerzen|Ausschlag|Kind|Zwillinge|Nachwuchs|Baby|Rente|Bafög|Heuschnupfen)/iu],
  ["braucht", /(?:Brille|Rollstuhl|Hörgerät|Ruhe zum|Stunden Schlaf|Gehhilfe|^(?!dringend).*Kaffee)/u],
  ["steht", /(?:^| )um .*auf$|^auf \p{Lu}/u],
  [
    "liest",
    /(?:nur|gern|am liebsten|meistens|jede|viel|hauptsächlich|\p{Lu}\p{Ll}+(?:bücher|romane|krimis))/u,
  ],
  ["erwartet", /(?:Kind|Baby|Zwillinge|Nachwuchs)/u],
  ["verbringt", /(?:jede|immer|meist|Winter|Sommer|Wochenende)/u],
  ["setzt", /(?:ein$|^auf )/u],
  ["stellt", /^$/u],
  ["zieht", /(?:auf|um|groß)$/u],
  ["hält", /(?:^| )(?:\p{Lu}|eine?n?|zwei|drei|\d+|kein)/u],
  ["glaubt", /^(?:nicht )?an /u],
  ["sieht", /(?:schlecht|nichts|kaum|gern|nie|nur)/u],
  ["schaut", /(?:gern|nie|immer|jede|kein|am liebsten|nur|viel)/u],
  ["guckt", /(?:gern|nie|immer|jede|kein|am liebsten|nur|viel)/u],
  ["hilft", /(?:jede|\p{Ll}+tags|im |beim |ehrenamtlich|regelmäßig)/u],
  ["kauft", /(?:bei |im |nur |nie|immer|jede|gern)/u],
  ["bestellt", /(?:bei |nur |nie|immer|jede|gern)/u],
  ["räumt", /(?:jede|immer|nie)/u],
  ["lädt", /(?:jede|immer|nie|zu Hause|nachts)/u],
  ["testet", /(?:mit |jede|immer)/u],
  ["fängt", /um .*an$/u],
  ["beginnt", /(?:um |am |im |mit )/u],
  ["hört", /(?:gern|nur|meist|am liebsten|viel|nichts|schlecht|kaum|^\p{Lu}|auf dem)/u],
  ["schreibt", /(?:alle|immer|gern|nur|Bücher|Romane|Gedichte|Code|Kurz|an meine|für|seit|Tagebuch|mit )/u],
  ["reagiert", /allergisch|empfindlich/u],
  ["liegt", /^$/u],
  ["sitzt", /^im Rollstuhl|im \p{Lu}\p{Ll}*(?:rat|vorstand)/u],
  ["führt", /^(?!.*(?:aus|durch|weiter)$)(?:eine? |Tagebuch|Buch)/u],
  ["baut", /(?:an|selbst|Möbel|Boote|Instrumente|ein Haus|Gemüse|unser Haus)/u],
  ["kostet", /^$/u],
  ["heißt", /^\p{Lu}/u],
  ["spielt", /^(?!(?:den|die|das) |.*(?:ab|vor)$)/u],
  ["lässt", /^$/u],
  ["verpasst", /(?:nie|keine)/u],
  ["folgt", /(?:Diät|einer)/u],
  ["laufen", /^$/u],
]);

/** Nouns for temporary belongings. */
export const PASSING_THING =
  /(?<!\p{L})(?:Fragen?|Probleme?|Fehler|Fehlermeldung|Hunger|Durst|Idee|Ideen|Kopfschmerzen|Bauchschmerzen|Halsschmerzen|Schmerzen|Zeit|Lust|Recht|Besprechung|Meeting|Erkältung|Fieber|Schnupfen|Husten|Grippe|Kater|Gefühl|Eindruck|Glück|Pech|Stress|Bock|Ahnung|Schlüssel|Bitte|Wunsch|Vorschlag|Anliegen|Termin|Moment|Pause|Feierabend|Datei|Code|Tabelle|Liste|Funktion|Text|Skript|Aufgabe|Schwierigkeiten|Zweifel|Plan|Grund|Bug|Angst|Sorge|Sorgen|Feedback|Zugriff)(?!\p{L})/u;

/** Nouns for the task at hand ("this bug", …): statements about them are not lasting facts. */
export const PASSING_SUBJECT =
  /(?:Code|Build|Tests?|Skript|Funktion|Abfrage|Programm|Fehler|Problem|Frage|Idee|Meinung|Gefühl|Text|Nachricht|Datei|Tabelle|Kopf|Rücken|Bauch|Hals|Internet|Eindruck|Ziel|Plan|Verständnis|Bitte|Vorschlag|Anfrage|Prompt)$|^(?:Tag|Woche)$/u;

/** Adjectives of lasting states. */
export const LASTING_STATE =
  /(?<!\p{L})(?:allergisch|verheiratet|verlobt|geschieden|ledig|verwitwet|getrennt|taub|blind|farbenblind|schwerhörig|gehörlos|kurzsichtig|weitsichtig|vegan|vegetarisch|schwanger|selbstständig|selbständig|freiberuflich|arbeitslos|pensioniert|rentner|berufstätig|angestellt|alleinerziehend|adoptiert|zweisprachig|mehrsprachig|schwul|lesbisch|bisexuell|queer|katholisch|evangelisch|muslimisch|jüdisch|gläubig|konfessionslos|atheistisch|trocken|laktoseintolerant|glutenintolerant|autistisch|bipolar|herzkrank|zuckerkrank|querschnittsgelähmt|linkshändig|schüchtern|introvertiert|extrovertiert|ungeduldig|vergesslich|unmusikalisch|aufgewachsen|geboren|groß geworden|befreundet|zuständig|verantwortlich|privat versichert|gesetzlich versichert|im Ruhestand|in Rente|in Elternzeit|im Vorstand)(?!\p{L})/iu;

/** Words for people and animals by their relation to the speaker. */
export const RELATION =
  /(?:^|[\p{Ll}-])(?:frau|mann|bub|bua|mädel|mädchen|junge|lebensgefährtin|lebensgefährte|kumpel|partner|partnerin|freund|freundin|freunde|mutter|mama|vater|papa|eltern|bruder|brüder|schwester|schwestern|geschwister|sohn|söhne|tochter|töchter|kind|kinder|zwillinge|oma|opa|großeltern|tante|onkel|cousin|cousine|neffe|nichte|enkel|enkelin|kollege|kollegin|kollegen|chef|chefin|vorgesetzter|vorgesetzte|arzt|ärztin|nachbar|nachbarin|nachbarn|hund|hündin|katze|kater|hunde|katzen|pferd|kaninchen|papagei|lehrer|lehrerin|vermieter|vermieterin|betreuer|betreuerin|mitbewohner|mitbewohnerin|trainer|trainerin|klempner|friseur|friseurin|therapeut|therapeutin|anwalt|anwältin|steuerberater|steuerberaterin|schwiegermutter|schwiegervater|schwiegereltern|schwager|schwägerin|verlobter|verlobte|baby|familie|hebamme|putzfrau|babysitterin|babysitter)$/iu;

/** Neuter nouns, also as the last part of a compound. */
export const NEUTER =
  /(?:auto|zuhause|haus|studio|büro|handy|team|kind|rad|baby|meeting|hobby|zimmer|projekt|konto|gehalt|boot|motorrad|pferd|kaninchen|abo|studium|training|leben|buch|tablet|essen|tier|gericht|lied|spiel|getränk|restaurant|gerät|telefon|geschäft|unternehmen|repo|repository|backend|frontend|kennwort|passwort|postfach|gewicht|instrument|visum|café|chen|lein|ment|um)$/iu;
