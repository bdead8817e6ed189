import { Fragment } from "react";
import { visible } from "../text/uri.ts";

/** A URI that may be broken behind its slashes, and within a name only where that alone is too long. */
export function UriText({ uri }: { readonly uri: string }) {
  const parts = visible(uri).split(/(?<=\/)(?!\/)/);
  return (
    <bdi className="[overflow-wrap:anywhere]">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a URI may be alike
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
