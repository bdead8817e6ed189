/** Attributes of a span: codes, counts, names of queues and models. Never contents, queries, URIs or keys. */
export type Facts = Readonly<Record<string, string | number | undefined>>;

/** A running piece of work. */
export interface Span {
  /** Spans started inside `work` become children of this span. */
  within<T>(work: () => T): T;
  /** Attributes known so far. */
  tell(facts: Facts): void;
  /** Call it once; `error` if the work has failed for an internal reason. */
  end(error?: unknown): void;
}

/** Traces calls and jobs, if enabled. */
export interface Trace {
  /**
   * A span of a call or a job, as a child of `parent` (a W3C traceparent); if that is missing or malformed,
   * the root of a new trace.
   */
  begin(name: string, kind: "call" | "job", parent: string | undefined): Span;
  /**
   * The outcome of `work`, recorded as a step of the span within which the caller runs; outside of any span
   * it just runs.
   */
  step<T>(name: string, facts: Facts, work: (span: Span) => Promise<T>): Promise<T>;
  /** Runs `work` outside of any span: for work that serves many callers in turn. */
  apart<T>(work: () => T): T;
  /** The current span as a W3C traceparent. */
  current(): string | undefined;
}

const NO_SPAN: Span = { within: (work) => work(), tell: () => undefined, end: () => undefined };

/** Tracing is off. */
export const untraced: Trace = {
  begin: () => NO_SPAN,
  step: (_name, _facts, work) => work(NO_SPAN),
  apart: (work) => work(),
  current: () => undefined,
};
