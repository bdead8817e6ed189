/** Text at a position on a page, in points from the left and from the bottom. */
export interface PdfText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  /** Use a monospaced font instead of Helvetica. */
  readonly isCode?: boolean;
}

export interface PdfOptions {
  readonly title?: string;
  /** Bookmarks: titles with the number of the target page, from 0. */
  readonly outline?: readonly (readonly [title: string, page: number])[];
}

const escaped = (text: string) => text.replace(/[\\()]/g, "\\$&");

/**
 * Writes a PDF with texts in standard fonts by hand: one object per part, followed by the cross-reference
 * table.
 */
export function pdf(
  pages: readonly (readonly PdfText[])[],
  { title = "", outline = [] }: PdfOptions = {},
): Buffer {
  const firstPage = 6;
  const firstEntry = firstPage + pages.length * 2;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${outline.length > 0 ? "/Outlines 5 0 R" : ""} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${firstPage + i * 2} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    `<< /Type /Outlines /First ${firstEntry} 0 R /Last ${firstEntry + outline.length - 1} 0 R /Count ${outline.length} >>`,
    ...pages.flatMap((texts, i) => {
      const shown = texts.map(
        ({ x, y, text, size = 11, isCode }) =>
          `/F${isCode ? 2 : 1} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj`,
      );
      const stream = `BT ${shown.join("\n")} ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${firstPage + i * 2 + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
    ...outline.map(([entry, page], i) => {
      const next = i + 1 < outline.length ? `/Next ${firstEntry + i + 1} 0 R` : "";
      return `<< /Title (${escaped(entry)}) /Parent 5 0 R ${next} /Dest [${firstPage + page * 2} 0 R /Fit] >>`;
    }),
    `<< /Title (${escaped(title)}) /Author (Ann) >>`,
  ];
  return pdfOf(objects);
}

/** Objects, numbered from 1; the first is the catalogue, the last the document information. */
export function pdfOf(
  objects: readonly string[],
  trailer = `/Root 1 0 R /Info ${objects.length} 0 R`,
): Buffer {
  let text = "%PDF-1.7\n";
  const places = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  return Buffer.from(
    `${text}${head}${table}trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
    "latin1",
  );
}
