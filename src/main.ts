import { sayFatal } from "./base/log.ts";
import { readConfig } from "./config/env.ts";
import { serve } from "./serve.ts";

async function main(): Promise<void> {
  await serve(readConfig());
}

main().catch((error: unknown) => {
  sayFatal(error);
  process.exit(1);
});
