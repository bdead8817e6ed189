import { type DescField, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "../../../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../../../gen/google/api/http_pb.ts";
import { itemAt } from "../../base/expect.ts";
import type { Operation } from "../operation.ts";
import { percentDecode } from "./bind-query.ts";

/** A REST route of an operation, from its google.api.http annotation. */
export interface Route {
  readonly operation: Operation;
  /** GET, POST, PUT, DELETE or PATCH. */
  readonly verb: string;
  /** Such as `/api/v1/sessions/{session_id}`. */
  readonly template: string;
  /** Proto names of the variables in `template`, in order. */
  readonly variables: readonly string[];
  /** `*` for the whole request, or a proto field name; "" if there is no body. */
  readonly body: string;
  /** Response field that is the result; undefined for the whole response. */
  readonly responseBody: DescField | undefined;
}

/**
 * All REST routes of the operations; a feed may have none. Throws if an annotation is missing or names an
 * unknown field.
 */
export function routesOf(operations: readonly Operation[]): Route[] {
  return operations.flatMap((operation) => {
    const { method } = operation;
    if (operation.kind === "feed" && !hasOption(method, http)) return [];
    if (!hasOption(method, http)) throw new Error(`${operation.name} has no google.api.http annotation`);
    const rule = getOption(method, http);
    return [rule, ...rule.additionalBindings].map((binding) =>
      routeOf(operation, binding, binding.responseBody || rule.responseBody),
    );
  });
}

/** Proto names of the request fields in the REST path, which access rules use for every protocol. */
export function pathFieldsOf(operation: Operation): readonly string[] {
  return routesOf([operation])[0]?.variables ?? [];
}

function routeOf(operation: Operation, rule: HttpRule, responseBody: string): Route {
  const { case: kind, value } = rule.pattern;
  if (kind === undefined) throw new Error(`${operation.name} has a binding without a path`);
  const [verb, template] = kind === "custom" ? [value.kind, value.path] : [kind.toUpperCase(), value];
  const variables = [...template.matchAll(/\{([^}=]+)\}/g)].map((match) => itemAt(match, 1));
  for (const name of variables) fieldOf(operation.method.input, name);
  if (rule.body !== "" && rule.body !== "*") fieldOf(operation.method.input, rule.body);
  return {
    operation,
    verb,
    template,
    variables,
    body: rule.body,
    responseBody: responseBody === "" ? undefined : fieldOf(operation.method.output, responseBody),
  };
}

function fieldOf(desc: DescMessage, name: string): DescField {
  const field = desc.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`${desc.typeName} has no field ${name}`);
  return field;
}

/** Routes of a path by HTTP method, and the values of its variables, still encoded. */
export interface Match {
  readonly verbs: ReadonlyMap<string, Route>;
  readonly values: readonly string[];
}

interface ExactMatch extends Match {
  readonly verbs: Map<string, Route>;
}

interface Branch {
  readonly fixed: Map<string, Branch>;
  variable: Branch | undefined;
  verbs: Map<string, Route> | undefined;
}

const branch = (): Branch => ({ fixed: new Map(), variable: undefined, verbs: undefined });

/**
 * Finds routes by path: exact paths by one lookup, paths with variables in a trie of segments, in which fixed
 * segments precede variables.
 */
export class RouteTable {
  readonly #exact = new Map<string, ExactMatch>();
  readonly #root = branch();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const verbs =
        route.variables.length === 0 ? this.#exactEntry(route.template).verbs : this.#grow(route.template);
      if (verbs.has(route.verb)) throw new Error(`two operations answer ${route.verb} ${route.template}`);
      verbs.set(route.verb, route);
    }
  }

  /** `path` without query; one trailing slash is accepted. */
  find(path: string): Match | undefined {
    const known = this.#exact.get(path);
    if (known) return known;
    const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    return this.#exact.get(trimmed) ?? this.#walk(this.#root, trimmed.split("/"), 1, []);
  }

  #exactEntry(template: string): ExactMatch {
    const entry = this.#exact.get(template) ?? { verbs: new Map<string, Route>(), values: [] };
    this.#exact.set(template, entry);
    return entry;
  }

  #grow(template: string): Map<string, Route> {
    let at = this.#root;
    for (const segment of template.split("/").slice(1)) {
      if (segment.startsWith("{")) {
        at.variable ??= branch();
        at = at.variable;
      } else {
        const next: Branch = at.fixed.get(segment) ?? branch();
        at.fixed.set(segment, next);
        at = next;
      }
    }
    at.verbs ??= new Map();
    return at.verbs;
  }

  #walk(at: Branch, segments: readonly string[], depth: number, values: string[]): Match | undefined {
    const segment = segments[depth];
    if (segment === undefined) return at.verbs && { verbs: at.verbs, values };
    const fixed = at.fixed.get(segment);
    const found = fixed && this.#walk(fixed, segments, depth + 1, values);
    if (found || at.variable === undefined || segment === "") return found;
    return this.#walk(at.variable, segments, depth + 1, [...values, segment]);
  }
}

/** Variables of a matched path by proto name, decoded. A `+` in a path is literal. */
export function pathValues(route: Route, values: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [i, name] of route.variables.entries())
    found[name] = percentDecode(itemAt(values, i), name, false);
  return found;
}
