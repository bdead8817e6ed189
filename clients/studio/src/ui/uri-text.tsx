import { Fragment } from "react";
import { visible } from "../text/uri.ts";

/** A URI that may be wrapped after slashes, and within a name only if the name is too long. */
export function UriText({ uri }: { readonly uri: string }) {
  const parts = visible(uri).split(/(?<=\/)(?!\/)/);
  return (
    <bdi className="[overflow-wrap:anywhere]">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two parts of a URI may be equal
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
