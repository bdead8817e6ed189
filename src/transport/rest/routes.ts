import { type DescField, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "../../../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../../../gen/google/api/http_pb.ts";
import { itemAt } from "../../base/expect.ts";
import type { Operation } from "../operation.ts";

/** One REST form of an operation, read from its google.api.http annotation. */
export interface Route {
  readonly operation: Operation;
  /** GET, POST, PUT, DELETE, PATCH */
  readonly verb: string;
  /** `/api/v1/sessions/{session_id}` */
  readonly template: string;
  /** The proto names of the variables in `template`, in order. */
  readonly variables: readonly string[];
  /** `*` = the whole request, a proto field name, or empty: no body. */
  readonly body: string;
  /** The field of the response that is the result; undefined = the whole response. */
  readonly responseBody: DescField | undefined;
}

/**
 * All REST forms of the operations; a feed may have none. Throws if an annotation is missing or names an
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

/** Request fields in the REST path, by proto name: the input of access rules on every wire. */
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
