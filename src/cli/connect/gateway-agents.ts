import { join } from "node:path";
import { CLIENT_VARIABLES } from "../../base/client-variables.ts";
import { DEFAULT_ADDRESS } from "../target.ts";
import {
  AGENTS,
  type ConnectableAgent,
  type ConnectPlace,
  claudeSettings,
  codexFolder,
  opencodeSettings,
  zedSettings,
} from "./agents.ts";
import type { Edit, IsOurs } from "./edits.ts";
import type { ProbedProvider } from "./gateway-probe.ts";

/**
 * Variable of a connection; it names the environment variable from which the agent takes the server's key.
 */
const KEY_FROM = "CTXDB_GATEWAY_KEY_FROM";
const KEY_HEADER = "X-Ctxdb-Key";
const BASE_URLS = /\/gateway\/(anthropic|openai)(\/v1)?\/?$/;

/** The properties of a target that affect an agent's gateway connection. */
export const gatewayVariables = (target: {
  readonly address: string;
  readonly key?: string;
}): Readonly<Record<string, string>> => ({
  [CLIENT_VARIABLES.address]: target.address,
  ...(target.key !== undefined && { [KEY_FROM]: CLIENT_VARIABLES.key }),
});

/** Base URLs written by ctxdb; any other address is left unchanged. */
const isOurs: IsOurs = (value) => typeof value === "string" && BASE_URLS.test(value);

/** The base URL to which the agent appends `/messages` or `/v1/messages`. */
const baseUrl = ({ variables }: ConnectPlace, path: string): string =>
  `${(variables[CLIENT_VARIABLES.address] ?? DEFAULT_ADDRESS).replace(/\/+$/, "")}/gateway/${path}`;

/** Name of the variable that contains the key. The key itself is never written. */
const keyFrom = ({ variables }: ConnectPlace): string | undefined => variables[KEY_FROM];

function claudeCode(place: ConnectPlace): Edit[] {
  const value = baseUrl(place, "anthropic");
  const values = [{ path: ["env", "ANTHROPIC_BASE_URL"], value, isOurs }];
  return [{ kind: "json", file: claudeSettings(place), values, items: [] }];
}

function codex(place: ConnectPlace): Edit[] {
  const from = keyFrom(place);
  const fields = [
    'name = "OpenAI, through ctxdb"',
    `base_url = ${JSON.stringify(baseUrl(place, "openai/v1"))}`,
    'wire_api = "responses"',
    "requires_openai_auth = true",
    ...(from === undefined ? [] : [`env_http_headers = { "${KEY_HEADER}" = "${from}" }`]),
  ];
  return [
    {
      kind: "toml",
      file: join(codexFolder(place), "config.toml"),
      table: "model_providers.ctxdb",
      key: "model_provider",
      lines: ['model_provider = "ctxdb"', `model_providers.ctxdb = { ${fields.join(", ")} }`],
    },
  ];
}

function opencode(place: ConnectPlace): Edit[] {
  const from = keyFrom(place);
  const values = (["anthropic", "openai"] as const).flatMap((provider) => {
    const options = ["provider", provider, "options"];
    const header = { path: [...options, "headers", KEY_HEADER], value: `{env:${from}}` };
    return [
      { path: [...options, "baseURL"], value: baseUrl(place, `${provider}/v1`), isOurs },
      ...(from === undefined ? [] : [header]),
    ];
  });
  return [{ kind: "json", file: opencodeSettings(place), values, items: [] }];
}

function zed(place: ConnectPlace): Edit[] {
  const values = [
    { path: ["language_models", "anthropic", "api_url"], value: baseUrl(place, "anthropic"), isOurs },
    { path: ["language_models", "openai", "api_url"], value: baseUrl(place, "openai/v1"), isOurs },
  ];
  return [{ kind: "json", file: zedSettings(place), values, items: [] }];
}

const KEY_HINT = `if the server wants a key, put \`${KEY_HEADER}: KEY\` into ANTHROPIC_CUSTOM_HEADERS`;

function throughGateway(
  id: string,
  edits: (place: ConnectPlace) => readonly Edit[],
  next: string,
): ConnectableAgent[] {
  // the id also names the connection record, so a connection with hooks has a separate one
  return AGENTS.filter((agent) => agent.id === id).map(({ title, folder }) => ({
    id: `${id}-gateway`,
    title,
    gets: "gateway",
    folder,
    edits,
    next,
  }));
}

/** Agents that let users configure the base URLs of model providers. */
export const GATEWAY_AGENTS: readonly ConnectableAgent[] = [
  ...throughGateway("claude-code", claudeCode, `restart Claude Code; ${KEY_HINT}`),
  ...throughGateway(
    "codex",
    codex,
    "restart Codex; the gateway needs an OpenAI API key, a subscription does not work",
  ),
  ...throughGateway("opencode", opencode, "restart opencode"),
  ...throughGateway("zed", zed, "restart Zed; it cannot send a ctxdb API key"),
];

/** The agent for `ctxdb connect ID --gateway`. */
export const gatewayAgent = (id: string): ConnectableAgent | undefined =>
  GATEWAY_AGENTS.find((one) => one.id === `${id}-gateway`);

const PROVIDERS: Readonly<Record<string, readonly ProbedProvider[]>> = {
  "claude-code-gateway": ["anthropic"],
  "codex-gateway": ["openai"],
};

/** Providers that an agent uses. */
export const providersOf = ({ id }: ConnectableAgent): readonly ProbedProvider[] =>
  PROVIDERS[id] ?? ["anthropic", "openai"];
