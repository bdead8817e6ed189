/** The error codes of the API, with the HTTP status and the gRPC status of each. */
export const STATUS = {
  INVALID_ARGUMENT: { http: 400, grpc: 3 },
  INVALID_URI: { http: 400, grpc: 3 },
  NOT_FOUND: { http: 404, grpc: 5 },
  ALREADY_EXISTS: { http: 409, grpc: 6 },
  UNAUTHENTICATED: { http: 401, grpc: 16 },
  PERMISSION_DENIED: { http: 403, grpc: 7 },
  RESOURCE_EXHAUSTED: { http: 429, grpc: 8 },
  FAILED_PRECONDITION: { http: 412, grpc: 9 },
  DEADLINE_EXCEEDED: { http: 504, grpc: 4 },
  UNAVAILABLE: { http: 503, grpc: 14 },
  INTERNAL: { http: 500, grpc: 13 },
  UNIMPLEMENTED: { http: 501, grpc: 12 },
  EMBEDDING_FAILED: { http: 500, grpc: 13 },
  VLM_FAILED: { http: 500, grpc: 13 },
  SESSION_EXPIRED: { http: 410, grpc: 5 },
} as const;

export type Code = keyof typeof STATUS;

/** JSON values only, because details are sent as a google.protobuf.Struct. */
export type Details = Record<string, unknown>;

/**
 * An error for the caller: a code of the API, a message that names the subject, and `details`. It must not
 * contain anything internal.
 */
export class ServiceError extends Error {
  readonly code: Code;
  readonly details: Details | undefined;
  /** HTTP status, if different from the table: 405, 413 or 416. */
  readonly http: number;

  constructor(
    code: Code,
    message: string,
    details?: Details,
    options: { http?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ServiceError";
    this.code = code;
    this.details = details;
    this.http = options.http ?? STATUS[code].http;
  }
}

/** Maximum length of input repeated in an error message; long enough for a URI. */
const MAX_SUBJECT_LENGTH = 4096;

const clipped = (text: string, length = MAX_SUBJECT_LENGTH): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

export const notFound = (type: string, subject: string) => {
  const resource = clipped(subject);
  return new ServiceError("NOT_FOUND", `${type} not found: ${resource}`, { resource, type });
};

export const alreadyExists = (type: string, subject: string) => {
  const resource = clipped(subject);
  return new ServiceError("ALREADY_EXISTS", `${type} already exists: ${resource}`, { resource, type });
};

/** `http`: a more specific status than 400. */
export const invalidArgument = (name: string, why: string, http?: number) => {
  const [field, reason] = [clipped(name), clipped(why)];
  const options = http === undefined ? {} : { http };
  return new ServiceError("INVALID_ARGUMENT", `${field}: ${reason}`, { field, reason }, options);
};

/** Thrown for a folder if a file is required. */
export class NotAFile extends ServiceError {
  constructor(uri: string) {
    const reason = `${clipped(uri)} is a folder; a file is needed`;
    super("INVALID_ARGUMENT", `uri: ${reason}`, { field: "uri", reason });
  }
}

export const invalidUri = (uri: string, reason: string) => {
  const shown = clipped(uri, 200);
  return new ServiceError("INVALID_URI", `invalid URI ${JSON.stringify(shown)}: ${reason}`, {
    uri: shown,
    reason,
  });
};

export const permissionDenied = (subject: string, reason: string) => {
  const resource = clipped(subject);
  return new ServiceError("PERMISSION_DENIED", `${resource}: ${reason}`, { resource, reason });
};

export const failedPrecondition = (subject: string, reason: string) => {
  const resource = clipped(subject);
  return new ServiceError("FAILED_PRECONDITION", `${resource}: ${reason}`, { resource, reason });
};

export const deadlineExceeded = (operation: string, timeout: number, more: Details = {}) =>
  new ServiceError(
    "DEADLINE_EXCEEDED",
    `${operation} did not finish within ${timeout} s; it continues in the background`,
    {
      operation,
      timeout,
      ...more,
    },
  );

/** Retry delay in seconds until queued work has been done. */
const QUEUE_RETRY_SECONDS = 5;

/**
 * Error for exceeding the backlog: the account has `queued` of a unit waiting, and adding `more` would exceed
 * `limit`. The caller may retry once the queues are shorter.
 */
export const tooMuchWaits = (unit: "bytes" | "jobs", queued: number, more: number, limit: number) => {
  const reason = `${queued} ${unit} of the account are waiting in the queue, and this adds ${more} more; the limit is ${limit}`;
  return new ServiceError("RESOURCE_EXHAUSTED", `queue: ${reason}; try again later`, {
    resource: "queue",
    reason,
    unit,
    queued,
    more,
    limit,
    retry_after: QUEUE_RETRY_SECONDS,
  });
};

/** Retry delay in seconds until running requests release their memory. */
const BUSY_RETRY_SECONDS = 1;

/** Details of an amount that a budget refused. */
export interface OverBudget {
  readonly of: "key" | "all";
  readonly used: number;
  readonly more: number;
  readonly limit: number;
}

/**
 * RESOURCE_EXHAUSTED for a budget of the account (`of: "key"`) or of the server (`of: "all"`). `resource`:
 * name of the budget in errors. Has `retry_after` only if the amount fits once others are released.
 */
export const overBudget =
  (resource: string, unit = "bytes", retrySeconds = BUSY_RETRY_SECONDS) =>
  ({ of, used, more, limit }: OverBudget) => {
    const whose = of === "key" ? "the account" : "the server";
    const fits = more <= limit;
    const reason = fits
      ? `${used} ${unit} of ${whose} are in use, and this needs ${more} more; the limit is ${limit}`
      : `this needs ${more} ${unit}; the limit of ${whose} is ${limit}`;
    return new ServiceError(
      "RESOURCE_EXHAUSTED",
      `${resource}: ${reason}${fits ? "; try again later" : ""}`,
      {
        resource,
        reason,
        unit,
        used,
        more,
        limit,
        ...(fits && { retry_after: retrySeconds }),
      },
    );
  };

export const unavailable = (reason: string) => new ServiceError("UNAVAILABLE", reason, { reason });
