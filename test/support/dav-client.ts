import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";

export interface DavReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

type Options = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
};

/** Sends WebDAV requests as one caller. Paths are sent unchanged, without normalization. */
export class DavClient {
  readonly #port: () => number;
  readonly #authorization: string | undefined;

  /** `password` is the API key; undefined sends no credentials. */
  constructor(port: () => number, password?: string, user = "me") {
    this.#port = port;
    this.#authorization =
      password === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  }

  /** `call` is the method and the path below /dav, for example `GET resources/a.md`. */
  async send(call: string, { headers = {}, body }: Options = {}): Promise<DavReply> {
    const [method = "", path = ""] = call.split(" ");
    const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
      const sending = httpRequest(
        {
          host: "127.0.0.1",
          port: this.#port(),
          path: path.startsWith("/") ? path : `/dav/${path}`,
          method,
          headers: { ...(this.#authorization && { authorization: this.#authorization }), ...headers },
        },
        resolve,
      );
      sending.on("error", reject);
      if (body === undefined || typeof body === "string" || body instanceof Uint8Array) {
        if (body !== undefined) sending.setHeader("content-length", Buffer.byteLength(body));
        sending.end(body);
      } else void pour(body, sending);
    });
    const bytes = await buffer(response);
    return { status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() };
  }

  async status(call: string, options?: Options): Promise<number> {
    return (await this.send(call, options)).status;
  }

  put(path: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<DavReply> {
    return this.send(`PUT ${path}`, { body, headers });
  }

  /** Returns the members of a folder, keyed by the last segment of their paths. */
  async list(path: string): Promise<string[]> {
    const { text } = await this.send(`PROPFIND ${path}`, { headers: { depth: "1" } });
    return hrefsIn(text)
      .slice(1)
      .map((href) => decodeURIComponent(href.replace(/\/$/, "").split("/").at(-1) ?? ""));
  }

  /**
   * Returns the text of a node's properties: `abstract` is ctxdb's own, all others are in the DAV: namespace.
   */
  async property(path: string, name: string, namespace = "DAV:"): Promise<string | undefined> {
    const body = `<propfind xmlns="DAV:"><prop><p:${name} xmlns:p="${namespace}"/></prop></propfind>`;
    const { text } = await this.send(`PROPFIND ${path}`, { headers: { depth: "0" }, body });
    return new RegExp(`<(?:\\w+:)?${name}(?: [^>]*)?>([^]*?)</(?:\\w+:)?${name}>`).exec(text)?.[1];
  }

  /** Returns the token of a lock. */
  async lock(
    path: string,
    { shared = false, ...headers }: { shared?: boolean; [name: string]: unknown } = {},
  ) {
    const scope = shared ? "shared" : "exclusive";
    const body = `<lockinfo xmlns="DAV:"><lockscope><${scope}/></lockscope><locktype><write/></locktype><owner>me</owner></lockinfo>`;
    const reply = await this.send(`LOCK ${path}`, { headers: headers as Record<string, string>, body });
    return { status: reply.status, token: reply.headers["lock-token"]?.toString() ?? "", text: reply.text };
  }
}

async function pour(body: AsyncIterable<Uint8Array>, into: import("node:http").ClientRequest): Promise<void> {
  for await (const piece of body) into.write(piece);
  into.end();
}

export const hrefsIn = (multistatus: string): string[] =>
  [...multistatus.matchAll(/<D:response><D:href>([^<]*)<\/D:href>/g)].map(([, href = ""]) => href);
