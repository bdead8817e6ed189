import { CtxdbError, callHeaders } from "../api/client.ts";

const ROUTE = "/api/v1/resources/temp_upload";

interface Envelope {
  readonly result?: { readonly temp_path: string };
  readonly error?: { readonly code: string; readonly message: string };
}

function envelopeOf(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return {};
  }
}

/**
 * Uploads a file through REST, the only protocol that reports upload progress to a browser; resolves with its
 * id.
 */
export function sendFile(
  file: Blob,
  name: string,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = () => request.abort();
    const fail = (code: string, message: string) => reject(new CtxdbError(code, message));
    request.open("POST", ROUTE);
    for (const [header, value] of Object.entries(callHeaders())) request.setRequestHeader(header, value);
    request.upload.onprogress = ({ loaded }) => onSent(Math.min(loaded, file.size));
    request.onload = () => {
      const { result, error } = envelopeOf(request.responseText);
      if (result !== undefined) return resolve(result.temp_path);
      fail(
        error?.code ?? "UNKNOWN",
        error?.message ?? `the server answered the upload with status ${request.status}`,
      );
    };
    request.onerror = () => fail("UNAVAILABLE", `the upload of ${name} broke off`);
    request.onabort = () => fail("CANCELLED", `the upload of ${name} was cancelled`);
    request.onloadend = () => signal.removeEventListener("abort", cancel);
    signal.addEventListener("abort", cancel);
    if (signal.aborted) return fail("CANCELLED", `the upload of ${name} was cancelled`);
    const body = new FormData();
    body.set("file", file, name);
    request.send(body);
  });
}
