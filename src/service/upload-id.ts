import { invalidArgument } from "../domain/errors.ts";

/** The upload id in either of two request fields, if any. */
export function uploadId(input: {
  readonly tempPath?: string | undefined;
  readonly tempFileId?: string | undefined;
}): string | undefined {
  const upload = input.tempPath ?? input.tempFileId;
  if (upload !== undefined && (input.tempFileId ?? upload) !== upload)
    throw invalidArgument("temp_file_id", "must name the same upload as temp_path if both are given");
  return upload;
}
