import type { ServiceError } from "../../domain/errors.ts";
import { retryAfter } from "../errors.ts";
import type { GatewayProvider } from "./routes.ts";

/** Anthropic's error types by status; all others are `api_error`. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
};

/** An error of ctxdb in the format that the provider's SDK expects. */
export function errorAnswer(
  provider: GatewayProvider,
  error: ServiceError,
  requestId: string,
): { readonly headers: Record<string, string>; readonly body: string } {
  const message = `ctxdb gateway: ${error.message}`;
  const { http, code } = error;
  const body =
    provider === "anthropic"
      ? {
          type: "error",
          error: { type: ANTHROPIC_TYPES[http] ?? "api_error", message },
          request_id: requestId,
        }
      : { error: { message, type: "ctxdb_error", param: null, code } };
  return {
    headers: {
      ...retryAfter(error),
      "Content-Type": "application/json",
      "X-Request-Id": requestId,
      "X-Ctxdb-Error": code,
    },
    body: JSON.stringify(body),
  };
}
