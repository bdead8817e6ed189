import { Http1Connection, type HttpRequestSpec, requestBytes } from "./http1-connection.ts";

/** Sends REST calls from the bench process itself, one after the other on each connection. */
export class Api {
  readonly #connections: Http1Connection[];
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(connections: Http1Connection[], headers: Readonly<Record<string, string>>) {
    this.#connections = connections;
    this.#headers = headers;
  }

  static async open(
    port: number,
    connections = 1,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Api> {
    return new Api(
      await Promise.all(Array.from({ length: connections }, () => Http1Connection.open(port))),
      headers,
    );
  }

  get<T>(path: string): Promise<T> {
    return this.#call(this.#connections[0]!, { method: "GET", path });
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.#call(this.#connections[0]!, { method: "POST", path, body: JSON.stringify(body) });
  }

  /** Sends all calls, as many in parallel as there are connections; returns the milliseconds of each. */
  async all(requests: readonly HttpRequestSpec[]): Promise<number[]> {
    const times: number[] = [];
    let next = 0;
    const work = async (connection: Http1Connection) => {
      while (next < requests.length) {
        const request = requests[next++]!;
        const began = performance.now();
        await this.#call(connection, request);
        times.push(performance.now() - began);
      }
    };
    await Promise.all(this.#connections.map(work));
    return times;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async #call<T>(connection: Http1Connection, request: HttpRequestSpec): Promise<T> {
    const { status, body } = await connection.send(requestBytes({ ...request, headers: this.#headers }));
    if (status !== 200)
      throw new Error(`${request.method} ${request.path}: ${status} ${body.toString().slice(0, 300)}`);
    return (JSON.parse(body.toString()) as { result: T }).result;
  }
}

export const write = (uri: string, content: string): HttpRequestSpec => ({
  method: "POST",
  path: "/api/v1/content/write",
  body: JSON.stringify({ uri, content, mode: "create" }),
});
