import type { HeaderView } from "./identity.ts";
import type { HttpRequest } from "./listen.ts";

/** The headers of a Node request, over HTTP/1.1 or HTTP/2. */
export function headersOf(request: HttpRequest): HeaderView {
  const { headers } = request;
  return {
    get(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
  };
}
