import { Code, ConnectError } from "@connectrpc/connect";

/** The name of an error's Connect code, such as NOT_FOUND. */
export const codeOfThrown = (thrown: unknown): string => {
  const name = Code[ConnectError.from(thrown).code] ?? "Unknown";
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
};
