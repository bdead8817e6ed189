import type { DescField, DescMethod, JsonValue, Message } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { fieldsOf } from "./curl.ts";
import type { ClientName } from "./names.ts";
import type { Target } from "./target.ts";

/** Operations that take their fields as separate arguments, in the order of their numbers. */
const POSITIONAL = new Set(
  `CreateAccount DeleteAccount ListUsers RemoveUser SetUserRole RegenerateUserKey GetAbstract GetOverview
   DownloadContent StatNode MoveNode RetryDeadLetter UnlinkNodes GetSession DeleteSession GetSkill DeleteSkill
   GetTask CancelTask WatchTask CreateGroup ListGroups DeleteGroup AddGroupMember RemoveGroupMember GetWebhook
   DeleteWebhook TestWebhook ListDeliveries DeleteTrash ListKeys RevokeKey RunRefreshSchedule
   DeleteRefreshSchedule`.split(/\s+/),
);

const OPTIONS: Readonly<Record<string, string>> = {
  account: "WithAccount",
  user: "WithUser",
  agent: "WithAgent",
};

/** Wrappers for optional fields, which Go represents by pointers. */
const POINTERS: ReadonlyMap<ScalarType, string> = new Map([
  [ScalarType.STRING, "proto.String"],
  [ScalarType.BOOL, "proto.Bool"],
  [ScalarType.UINT32, "proto.Uint32"],
  [ScalarType.INT32, "proto.Int32"],
  [ScalarType.DOUBLE, "proto.Float64"],
]);

const string = (text: string): string => JSON.stringify(text);
const pascal = (name: string): string =>
  name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const exported = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A value of type `any` for structpb. */
function free(value: JsonValue): string {
  if (value === null) return "nil";
  if (typeof value === "string") return string(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[]any{${value.map(free).join(", ")}}`;
  const pairs = Object.entries(value).map(([name, one]) => `${string(name)}: ${free(one)}`);
  return `map[string]any{${pairs.join(", ")}}`;
}

/** Values that must be created before the call, because creating them may fail. */
class Prelude {
  readonly lines: string[] = [];

  add(name: string, make: string): string {
    this.lines.push(`${name}, err := ${make}`, "if err != nil {", "\tlog.Fatal(err)", "}");
    return name;
  }
}

function literalOf(field: DescField, value: JsonValue, prelude: Prelude): string {
  if (field.message?.typeName === "google.protobuf.Struct")
    return prelude.add(field.localName, `structpb.NewStruct(${free(value)})`);
  if (field.message?.typeName === "google.protobuf.Value")
    return prelude.add(field.localName, `structpb.NewValue(${free(value)})`);
  if (field.fieldKind === "list") {
    const items = (Array.isArray(value) ? value : [value]).map((item) =>
      field.listKind === "message" ? messageOf(field, item, prelude, "") : free(item),
    );
    const type = field.listKind === "message" ? `*pb.${field.message.name}` : "string";
    return `[]${type}{${items.join(", ")}}`;
  }
  if (field.fieldKind === "message") return messageOf(field, value, prelude, `&pb.${field.message.name}`);
  const pointer = field.proto.proto3Optional ? POINTERS.get(field.scalar ?? ScalarType.BYTES) : undefined;
  return pointer === undefined ? free(value) : `${pointer}(${free(value)})`;
}

function messageOf(field: DescField, value: JsonValue, prelude: Prelude, type: string): string {
  const fields = value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  const parts = Object.entries(fields).flatMap(([name, one]) => {
    const inner = field.message?.fields.find((candidate) => candidate.name === name);
    return inner === undefined ? [] : [`${pascal(name)}: ${literalOf(inner, one, prelude)}`];
  });
  return `${type}{${parts.join(", ")}}`;
}

function argumentsOf(method: DescMethod, request: Message, prelude: Prelude): string[] {
  const values = fieldsOf(method, request);
  const fields = [...method.input.fields].sort((a, b) => a.number - b.number);
  if (fields.length === 0) return [];
  if (POSITIONAL.has(method.name)) return fields.map(({ name }) => free(values.get(name) ?? ""));
  const parts = fields.flatMap((field) => {
    const value = values.get(field.name);
    return value === undefined ? [] : [`${pascal(field.name)}: ${literalOf(field, value, prelude)}`];
  });
  return [`&pb.${method.input.name}{${parts.join(", ")}}`];
}

/** A program for the Go client. */
export function goOf(
  { group, name }: ClientName,
  method: DescMethod,
  request: Message,
  target: Target,
): string {
  const prelude = new Prelude();
  const args = ["ctx", ...argumentsOf(method, request, prelude)];
  const options = Object.entries(target.options).map(
    ([option, value]) => `, ctxdb.${OPTIONS[option]}(${string(value)})`,
  );
  const connect = `ctxdb.Connect(${string(target.address)}, ctxdb.WithKey(os.Getenv("CTXDB_API_KEY"))${options.join("")})`;
  const call = `client.${group === "fs" ? "FS" : exported(group)}.${exported(name)}(${args.join(", ")})`;
  const body = [
    "ctx := context.Background()",
    `client, err := ${connect}`,
    "if err != nil {",
    "\tlog.Fatal(err)",
    "}",
    "defer client.Close()",
    ...prelude.lines,
    ...callOf(method, call),
  ];
  const text = body.join("\n");
  const imports = [
    '"context"',
    ...(/fmt\./.test(text) ? ['"fmt"'] : []),
    '"log"',
    '"os"',
    "",
    '"github.com/ctxdb/ctxdb/clients/go"',
    ...(/pb\.[A-Z]/.test(text.replaceAll("structpb.", ""))
      ? ['pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"']
      : []),
    ...(/\bproto\./.test(text) ? ['"google.golang.org/protobuf/proto"'] : []),
    ...(/structpb\./.test(text) ? ['"google.golang.org/protobuf/types/known/structpb"'] : []),
  ];
  return [
    "package main",
    "",
    "import (",
    ...imports.map((line) => (line === "" ? "" : `\t${line}`)),
    ")",
    "",
    "func main() {",
    ...body.map((line) => `\t${line}`),
    "}",
  ].join("\n");
}

/** Operations that return only an error. */
const WITHOUT_ANSWER = new Set(["LinkNodes", "UnlinkNodes"]);

/** Streams whose events the client returns one at a time. */
export const isWatched = ({ name }: DescMethod): boolean => name.startsWith("Watch");

function callOf(method: DescMethod, call: string): string[] {
  const failed = ["\tlog.Fatal(err)", "}"];
  if (WITHOUT_ANSWER.has(method.name)) return [`if err := ${call}; err != nil {`, ...failed];
  if (isWatched(method))
    return [
      `for event, err := range ${call} {`,
      "\tif err != nil {",
      "\t\tlog.Fatal(err)",
      "\t}",
      "\tfmt.Println(event)",
      "}",
    ];
  return [`answer, err := ${call}`, "if err != nil {", ...failed, "fmt.Println(answer)"];
}
