import { Agent, request } from "node:http";

const REQUEST_LIMIT_MS = 60_000;

export interface Answer {
  readonly status: number;
  readonly result: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** No answer arrived: the server is gone or hangs. Whether the operation took effect is unknown. */
export class NoAnswer extends Error {}

/** One caller with its own connection. */
export class Rest {
  readonly #port: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number, headers: Readonly<Record<string, string>>) {
    this.#port = port;
    this.#headers = headers;
  }

  get(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<Answer> {
    const search = Object.entries(query)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
    return this.send("GET", search ? `${path}?${search}` : path);
  }

  /** `waitMs`: how long the call may wait in addition to its own work. */
  post(path: string, body: object = {}, waitMs = 0): Promise<Answer> {
    return this.send(
      "POST",
      path,
      { "content-type": "application/json" },
      JSON.stringify(body),
      REQUEST_LIMIT_MS + waitMs,
    );
  }

  upload(name: string, content: string | Uint8Array): Promise<Answer> {
    const edge = "edge-of-the-part";
    const head = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const headers = { "content-type": `multipart/form-data; boundary=${edge}` };
    const body = Buffer.concat([
      Buffer.from(head),
      Buffer.from(content as string),
      Buffer.from(`\r\n--${edge}--\r\n`),
    ]);
    return this.send("POST", "/api/v1/resources/temp_upload", headers, body);
  }

  /** Makes a call that returns bytes; an answer in the JSON envelope is an error. */
  async bytes(path: string, body: object): Promise<Uint8Array | Answer> {
    const { status, bytes } = await this.#exchange(
      "POST",
      path,
      { "content-type": "application/json" },
      JSON.stringify(body),
    );
    return status === 200 ? bytes : read(status, bytes.toString());
  }

  async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string | Uint8Array,
    limitMs = REQUEST_LIMIT_MS,
  ): Promise<Answer> {
    const { status, bytes } = await this.#exchange(method, path, headers, body, limitMs);
    return read(status, bytes.toString());
  }

  /** Sends a WebDAV request about a URI; a success is returned in the form of REST. */
  async dav(
    method: string,
    uri: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answer> {
    const { status, bytes } = await this.#exchange(method, davPath(uri), headers, body);
    if (status >= 200 && status < 300) return { status: 200, result: undefined };
    const [code = "", message = ""] = ["code", "message"].map(
      (name) => new RegExp(`<ctx:${name}>([^<]*)`).exec(bytes.toString())?.[1],
    );
    return { status, result: undefined, error: { code, message } };
  }

  #exchange(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string | Uint8Array,
    limitMs = REQUEST_LIMIT_MS,
  ): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const options = {
        host: "127.0.0.1",
        port: this.#port,
        method,
        path,
        agent: this.#agent,
        headers: { ...this.#headers, ...headers, ...length },
      };
      const fail = (error: Error) =>
        reject(new NoAnswer(`${method} ${path.slice(0, 120)}: ${error.message}`));
      const sent = request(options, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", fail);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(parts) }));
      });
      sent.setTimeout(limitMs, () => sent.destroy(new Error(`nothing within ${limitMs} ms`)));
      sent.on("error", fail);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Returns the WebDAV path of a URI. */
export const davPath = (uri: string): string =>
  `/dav/${uri
    .slice(uri.indexOf("//") + 2)
    .split("/")
    .map(encodeURIComponent)
    .join("/")}`;

function read(status: number, body: string): Answer {
  const { result, error } = JSON.parse(body) as Partial<Answer>;
  return { status, result, ...(error && { error }) };
}

export const isOk = (answer: Answer): boolean => answer.status === 200;

export const say = ({ status, error, result }: Answer): string =>
  error ? `${status} ${error.code}: ${error.message}` : `${status} ${JSON.stringify(result)?.slice(0, 200)}`;
