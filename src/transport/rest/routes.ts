import { type DescField, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "../../../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../../../gen/google/api/http_pb.ts";
import { itemAt } from "../../base/expect.ts";
import type { Operation } from "../operation.ts";

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
