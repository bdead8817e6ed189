/** How long the browser is given to begin with the download, in ms. */
const BEGIN_MS = 60_000;

/** Hands bytes to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), BEGIN_MS);
}
