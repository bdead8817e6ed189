import { checkPlace, checkRemovable, checkVisible, checkWritable, type Viewer } from "../../domain/scope.ts";
import type { Path, UriCodec } from "../../domain/uri.ts";

/** Source and destination of a move or copy. */
interface Ends {
  readonly from: Path;
  readonly to: Path;
  readonly fromUri: string;
  readonly toUri: string;
}

/**
 * Both ends of a move or copy, visible and writable for the caller; the source of a copy need only be
 * readable. A hidden end is reported (as missing) before a forbidden one.
 */
export function writableEnds(
  uris: UriCodec,
  viewer: Viewer,
  input: { readonly fromUri: string; readonly toUri: string },
  kind: "move" | "copy",
): Ends {
  const from = uris.parse(input.fromUri);
  const to = uris.parse(input.toUri);
  const [fromUri, toUri] = [uris.format(from), uris.format(to)];
  checkVisible(viewer, from, fromUri);
  checkVisible(viewer, to, toUri);
  if (kind === "move") {
    checkRemovable(viewer, from, fromUri, "from_uri");
    checkRemovable(viewer, to, toUri, "to_uri");
  } else {
    checkPlace(viewer, from, fromUri, "from_uri");
    checkWritable(viewer, to, toUri, "to_uri");
  }
  return { from, to, fromUri, toUri };
}

/** The path of a URI. Throws unless the caller may write it. */
export function writablePath(uris: UriCodec, viewer: Viewer, text: string): { path: Path; uri: string } {
  const path = uris.parse(text);
  const uri = uris.format(path);
  checkWritable(viewer, path, uri, "uri");
  return { path, uri };
}
