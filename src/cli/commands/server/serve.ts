import type { Define } from "../../define.ts";

interface Options {
  readonly host?: string;
  readonly port?: string;
  readonly dataDir?: string;
  readonly config?: string;
}

export const define: Define = (command) => {
  command
    .description(
      "Start the server in this terminal; stop it with Ctrl-C. Settings come from CTXDB_* environment variables and a configuration file (docs/settings.md); options given here override both.",
    )
    .option("--host <address>", "address to listen on (CTXDB_HOST, default: 127.0.0.1)")
    .option("--port <number>", "port; 0 = any free port (CTXDB_PORT, default: 1933)")
    .option("--data-dir <folder>", "data directory (CTXDB_DATA_DIR, default: ./data)")
    .option("--config <file>", "configuration file (CTXDB_CONFIG)")
    .action(async ({ host, port, dataDir, config }: Options) => {
      const { readConfig } = await import("../../../config/env.ts");
      const { serve } = await import("../../../server/serve.ts");
      const given = { CTXDB_HOST: host, CTXDB_PORT: port, CTXDB_DATA_DIR: dataDir, CTXDB_CONFIG: config };
      const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      await serve(readConfig(settings), "ctxdb");
      // from here on, only a signal ends the process
      await new Promise(() => undefined);
    });
};
