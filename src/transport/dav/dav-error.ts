import { STATUS_CODES } from "node:http";
import { type Code, invalidArgument, ServiceError, STATUS } from "../../domain/errors.ts";
import { escaped, xmlDocument } from "./xml-text.ts";

/** An error with a status from RFC 4918, and the precondition element (section 16) if it defines one. */
export class DavError extends ServiceError {
  /** Violated precondition, as an XML element of the error body. */
  readonly condition: string;

  constructor(http: number, condition: string, resource: string, reason: string) {
    const code: Code = http === 403 ? "PERMISSION_DENIED" : "FAILED_PRECONDITION";
    super(code, `${resource}: ${reason}`, { resource, reason }, { http });
    this.condition = condition;
  }
}

/** Status 412: a condition of the request does not hold. */
export const conditionFails = (resource: string, reason: string) => new DavError(412, "", resource, reason);

/** Status 409: the parent folder does not exist, or something else is in the way. */
export const conflict = (resource: string, reason: string) => new DavError(409, "", resource, reason);

/** Status 405. */
export const notHere = (method: string, resource: string, reason: string) =>
  invalidArgument("method", `${method} ${resource}: ${reason}`, 405);

/** The WebDAV status of an error. */
export function statusOf(error: ServiceError): number {
  const { code, details, http } = error;
  if (http !== STATUS[code].http || error instanceof DavError) return http;
  // 412 means that a condition of the request does not hold
  if (code === "FAILED_PRECONDITION" && details?.reason !== "etag") return 409;
  if (code === "ALREADY_EXISTS") return 412;
  if (code === "RESOURCE_EXHAUSTED" && details?.retry_after === undefined) return 507;
  return http;
}

export const reasonPhrase = (status: number): string => STATUS_CODES[status] ?? "";

/** Body of an error response: precondition, code and message. */
export function errorDocument(error: ServiceError): string {
  const condition = error instanceof DavError ? error.condition : "";
  const text = `<ctx:code>${error.code}</ctx:code><ctx:message>${escaped(error.message)}</ctx:message>`;
  return xmlDocument("error", `${condition}${text}`);
}
