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
      "Start the server in this terminal, as `npm start` does; Ctrl-C ends it. Settings are environment variables CTXDB_* and the configuration file; what is given here comes before both.",
    )
    .option("--host <address>", "address to listen on (CTXDB_HOST)")
    .option("--port <number>", "port, 0 for any free one (CTXDB_PORT)")
    .option("--data-dir <folder>", "where everything is kept (CTXDB_DATA_DIR)")
    .option("--config <file>", "the configuration file (CTXDB_CONFIG)")
    .action(async ({ host, port, dataDir, config }: Options) => {
      const { readConfig } = await import("../../../config/env.ts");
      const { serve } = await import("../../../server/serve.ts");
      const given = { CTXDB_HOST: host, CTXDB_PORT: port, CTXDB_DATA_DIR: dataDir, CTXDB_CONFIG: config };
      const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      await serve(readConfig(settings), "ctxdb");
      // from here on a signal ends the process
      await new Promise(() => undefined);
    });
};
