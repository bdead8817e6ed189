import type { Caller } from "../../domain/caller.ts";
import { checkVisible, checkWritable } from "../../domain/scope.ts";
import type { Path, UriCodec } from "../../domain/uri.ts";

/** Source and destination of a move or copy. */
interface Ends {
  readonly from: Path;
  readonly to: Path;
  readonly fromUri: string;
  readonly toUri: string;
}

/**
 * Both ends, which the caller may see and write: what is hidden at either is told before what is forbidden.
 */
export function writableEnds(
  uris: UriCodec,
  caller: Caller,
  input: { readonly fromUri: string; readonly toUri: string },
): Ends {
  const from = uris.parse(input.fromUri);
  const to = uris.parse(input.toUri);
  const [fromUri, toUri] = [uris.format(from), uris.format(to)];
  checkVisible(caller, from, fromUri);
  checkVisible(caller, to, toUri);
  checkWritable(caller, from, fromUri, "from_uri");
  checkWritable(caller, to, toUri, "to_uri");
  return { from, to, fromUri, toUri };
}
