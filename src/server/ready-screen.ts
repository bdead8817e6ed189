interface Ready {
  readonly url: string;
  readonly version: string;
  readonly dataDir: string;
  /** Whether calls need a key. */
  readonly keyed: boolean;
  /** Whether the server listens only on loopback. */
  readonly loopback: boolean;
  /** Whether Studio is served. */
  readonly studio: boolean;
  /** Command that runs the CLI from this terminal. */
  readonly cli: string;
}

/** Text shown on a terminal once the server is ready. */
export function readyScreen({ url, version, dataDir, keyed, loopback, studio, cli }: Ready): string {
  const keys = keyed ? "required: send one in X-API-Key" : "none needed";
  const facts = [
    ["Open", studio ? `${url}/studio` : url],
    ["Data", dataDir],
    ["Keys", loopback ? `${keys}; only this machine can connect` : keys],
  ];
  const login = keyed ? [`${cli} login ${url}`] : [];
  const commands = [...login, `${cli} add ./docs`, `${cli} find "how do I back up?"`];
  return [
    `ctxdb ${version} is ready.`,
    "",
    ...facts.map(([name, value]) => `  ${name}   ${value}`),
    "",
    "Try in another terminal:",
    "",
    ...commands.map((command) => `  ${command}`),
    "",
    "Ctrl-C stops the server.",
    "",
    "",
  ].join("\n");
}
