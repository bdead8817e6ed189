import { CtxdbError } from "./errors.ts";

export interface Address {
  /** `http://host:port`, without a slash at the end. */
  readonly baseUrl: string;
  /** `host:port`. */
  readonly authority: string;
  readonly isSecure: boolean;
}

/** Reads `host:port`, `http://host:port` or `https://host:port`; INVALID_ARGUMENT for anything else. */
export function parseAddress(address: string): Address {
  const text = address.includes("://") ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isWeb || url.hostname === "" || url.search !== "" || url.hash !== "" || url.username !== "") {
    const reason = "must be host:port, http://host:port or https://host:port";
    throw new CtxdbError("INVALID_ARGUMENT", `address ${JSON.stringify(address)}: ${reason}`, {
      field: "address",
      reason,
    });
  }
  const isSecure = url.protocol === "https:";
  const port = url.port || (isSecure ? "443" : "80");
  return {
    baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, ""),
    authority: `${url.hostname}:${port}`,
    isSecure,
  };
}
