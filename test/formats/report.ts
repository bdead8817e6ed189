import { keptOf, type Structure } from "./measures.ts";

const MIN_F1 = 0.98;
const MIN_KEPT = 0.9;
const MIN_FOUND = 0.9;
const MIN_ASKED = 20;
/** Minimum number of different programs that must have written a format's files. */
const MIN_PRODUCERS: Readonly<Record<string, number>> = { pdf: 5, docx: 5 };
/** Formats that every run must have covered. */
const WANTED = ["docx", "epub", "odt", "pdf", "pptx", "xlsx"];

export interface Measured {
  readonly producer: string;
  readonly f1: number;
  readonly structure: Structure;
  /** The reference tool's count, or undefined if the tool does not report one. */
  readonly reference: Structure | undefined;
}

export interface FormatResult {
  readonly files: readonly Measured[];
  readonly asked: number;
  /** Number of questions whose passage was found. */
  readonly found: number;
}

export interface Check {
  readonly what: string;
  readonly isPassed: boolean;
}

const HEAD = ["format", "files", "producers", "F1 mean", "F1 worst", "structure kept", "found / asked"];

/** Formats the table of a run, one line per format. */
export function rowsOf(results: ReadonlyMap<string, FormatResult>): string[] {
  const rows = [...results].map(([format, { files, asked, found }]) => {
    const kept = keptIn(files);
    const scores = files.map(({ f1 }) => f1);
    return [
      format,
      `${files.length}`,
      `${producersOf(files)}`,
      meanOf(scores).toFixed(4),
      Math.min(...scores).toFixed(4),
      kept === undefined ? "-" : kept.toFixed(3),
      `${found} / ${asked}`,
    ];
  });
  const widths = HEAD.map((_, i) => Math.max(...[HEAD, ...rows].map((row) => row[i]!.length)));
  return [
    "",
    ...[HEAD, ...rows].map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    ),
    "",
  ];
}

/** Thresholds that the figures must reach. */
export function checksOf(results: ReadonlyMap<string, FormatResult>): Check[] {
  const missing = WANTED.filter((format) => (results.get(format)?.files.length ?? 0) === 0);
  const checks = [...results]
    .filter(([, { files }]) => files.length > 0)
    .flatMap(([format, result]) => checksOfFormat(format, result));
  return [...missing.map((format) => ({ what: `${format}: no file to read`, isPassed: false })), ...checks];
}

function checksOfFormat(format: string, { files, asked, found }: FormatResult): Check[] {
  const mean = meanOf(files.map(({ f1 }) => f1));
  const kept = keptIn(files);
  const producers = producersOf(files);
  const wanted = MIN_PRODUCERS[format] ?? 1;
  return [
    { what: `${format}: F1 ${mean.toFixed(4)} on average, below ${MIN_F1}`, isPassed: mean >= MIN_F1 },
    { what: `${format}: files of ${producers} producers, not ${wanted}`, isPassed: producers >= wanted },
    { what: `${format}: ${asked} questions could be made, not ${MIN_ASKED}`, isPassed: asked >= MIN_ASKED },
    {
      what: `${format}: ${found} of ${asked} questions find their passage`,
      isPassed: found >= asked * MIN_FOUND,
    },
    ...(kept === undefined
      ? []
      : [
          {
            what: `${format}: ${kept.toFixed(3)} of headings, items and rows kept`,
            isPassed: kept >= MIN_KEPT,
          },
        ]),
  ];
}

/** Programs named in a file; files that name none are not counted. */
const producersOf = (files: readonly Measured[]): number =>
  new Set(files.map(({ producer }) => producer).filter((one) => one !== "unknown")).size;

function keptIn(files: readonly Measured[]): number | undefined {
  const told = files.flatMap(({ structure, reference }) =>
    reference === undefined ? [] : [[structure, reference] as const],
  );
  return told.length === 0
    ? undefined
    : keptOf(
        told.map(([ours]) => ours),
        told.map(([, theirs]) => theirs),
      );
}

const meanOf = (scores: readonly number[]): number =>
  scores.reduce((sum, f1) => sum + f1, 0) / Math.max(1, scores.length);
