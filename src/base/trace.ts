/** Span attributes: codes, counts, names of queues and models. Never content, queries, URIs or keys. */
export type Facts = Readonly<Record<string, string | number | undefined>>;

/** A span: one operation in a trace. */
export interface Span {
  /** Spans started inside `work` become children of this span. */
  within<T>(work: () => T): T;
  /** Adds attributes. */
  tell(facts: Facts): void;
  /** Must be called exactly once; pass `error` only for internal failures. */
  end(error?: unknown): void;
}

/** Traces calls and jobs, if tracing is enabled. */
export interface Trace {
  /**
   * Starts a span for a call or a job as a child of `parent` (a W3C traceparent). Starts a new trace if
   * `parent` is missing or malformed.
   */
  begin(name: string, kind: "call" | "job", parent: string | undefined): Span;
  /**
   * Runs `work` in a child of the current span and returns its result; without a current span, just runs
   * `work`.
   */
  step<T>(name: string, facts: Facts, work: (span: Span) => Promise<T>): Promise<T>;
  /** Runs `work` outside any span, for work shared by many callers. */
  apart<T>(work: () => T): T;
  /** The current span as a W3C traceparent. */
  current(): string | undefined;
}

const NO_SPAN: Span = { within: (work) => work(), tell: () => undefined, end: () => undefined };

/** Used when tracing is off. */
export const untraced: Trace = {
  begin: () => NO_SPAN,
  step: (_name, _facts, work) => work(NO_SPAN),
  apart: (work) => work(),
  current: () => undefined,
};
