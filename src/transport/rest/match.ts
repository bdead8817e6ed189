import { itemAt } from "../../base/expect.ts";
import { percentDecode } from "./bind-query.ts";
import type { Route } from "./routes.ts";

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
