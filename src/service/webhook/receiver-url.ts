import { invalidArgument } from "../../domain/errors.ts";
import type { AddressGuard } from "../../ingest/fetch/guard.ts";
import { portOf, webAddress } from "../../ingest/fetch/web-address.ts";

interface Rules {
  readonly guard: AddressGuard;
  readonly allowsPrivate: boolean;
}

/**
 * Validates a URL to which messages may be sent. Its addresses are checked here, and again for each message.
 */
export async function checkReceiver(text: string, { guard, allowsPrivate }: Rules): Promise<string> {
  if (!(allowsPrivate ? /^https?:/i : /^https:/i).test(text))
    throw invalidArgument("url", `must be an ${allowsPrivate ? "http or https" : "https"} URL`);
  const url = webAddress(text, undefined, "url");
  await guard.addressesOf(url.hostname, portOf(url));
  return url.href;
}
