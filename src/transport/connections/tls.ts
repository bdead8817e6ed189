import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { codeOf, messageOf } from "../../base/faults.ts";
import { StartError } from "../../base/start-error.ts";

/** Certificate chain and private key in PEM format. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads and verifies both files. Throws a StartError that names the invalid setting. */
export function readTls(paths: { readonly cert: string; readonly key: string }): TlsFiles {
  const files = { cert: read("CTXDB_TLS_CERT", paths.cert), key: read("CTXDB_TLS_KEY", paths.key) };
  try {
    createSecureContext(files);
    return files;
  } catch (error) {
    throw new StartError(
      `CTXDB_TLS_CERT and CTXDB_TLS_KEY must be a certificate and its private key (${messageOf(error)})`,
      error,
    );
  }
}

function read(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`${setting}: the file ${path} cannot be read (${codeOf(error)})`, error);
  }
}
