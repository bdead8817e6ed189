import { afterAll, beforeAll, beforeEach } from "vitest";
import { answersByApi, type ChatProvider, chatProvider } from "./chat-provider.ts";
import { ROOT_KEY, type Served, serve } from "./served.ts";

export const PROVIDER_KEY = "sk-provider-key-0123456789";

export interface StoredMessage {
  readonly role: string;
  readonly parts: readonly {
    readonly type: string;
    readonly text?: string;
    readonly tool_name?: string;
    readonly tool_input?: object;
    readonly tool_output?: string;
    readonly tool_status?: string;
  }[];
}

/** A server with a gateway, the provider behind the gateway, and a user Ann. */
export class Gateway {
  readonly provider: ChatProvider;
  readonly served: Served;
  /** Ann's API key. */
  readonly ann: string;

  private constructor(provider: ChatProvider, served: Served, ann: string) {
    this.provider = provider;
    this.served = served;
    this.ann = ann;
  }

  static async open(): Promise<Gateway> {
    const provider = await chatProvider();
    const served = await serve({
      CTXDB_GATEWAY_ANTHROPIC_URL: provider.url,
      CTXDB_GATEWAY_OPENAI_URL: `${provider.url}/v1`,
      CTXDB_GATEWAY_RECALL_TOKENS: "400",
      // a long limit, so that a slow machine does not lose a recall
      CTXDB_GATEWAY_RECALL_MS: "20000",
    });
    const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    const ann = (made.result as { user_key: string }).user_key;
    await served.rest(ann, "POST content/write", {
      uri: "ctx://resources/space/saturn.md",
      content: "# Saturn\n\nSaturn has rings of ice and dust. Its moon Titan has lakes of methane.",
      mode: "create",
      wait: true,
    });
    return new Gateway(provider, served, ann);
  }

  post(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.served.port}/gateway/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": PROVIDER_KEY,
        "x-ctxdb-key": this.ann,
        ...headers,
      },
      body,
    });
  }

  async ask(path: string, body: object, headers: Record<string, string> = {}) {
    const answer = await this.post(path, JSON.stringify(body), headers);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** Builds a request of Anthropic's API with the given turns. */
  messages(turns: readonly object[], headers: Record<string, string> = {}) {
    return this.ask("anthropic/v1/messages", { model: "model-1", max_tokens: 64, messages: turns }, headers);
  }

  /** Returns the uncommitted messages of Ann's session. */
  async held(session: string): Promise<readonly StoredMessage[]> {
    const { result } = await this.served.rest(this.ann, `GET sessions/${session}/context`);
    return (result as { messages: StoredMessage[] }).messages;
  }

  /** Returns the same messages as texts, for example `user: hello`. */
  async texts(session: string): Promise<string[]> {
    return (await this.held(session)).map(
      ({ role, parts }) => `${role}: ${parts.map(({ text }) => text ?? "").join("|")}`,
    );
  }

  /** Returns the body of the last request received by the provider. */
  sent(): string {
    return this.provider.requests.at(-1)?.body.toString() ?? "";
  }

  async close(): Promise<void> {
    await this.served.close();
    await this.provider.close();
  }
}

/** Starts a gateway for the tests of a describe block; its provider is reset before each test. */
export function useGateway(): { readonly current: Gateway } {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await Gateway.open();
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    gateway.provider.script = answersByApi;
    gateway.provider.requests.length = 0;
  });
  return {
    get current() {
      return gateway;
    },
  };
}

/** Builds a user turn. */
export const said = (content: string): object[] => [{ role: "user", content }];
