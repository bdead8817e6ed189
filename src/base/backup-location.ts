/** A bucket of an object store, and a prefix of keys in it. */
export interface ObjectsLocation {
  readonly bucket: string;
  /** Ends with a slash unless it is empty. */
  readonly prefix: string;
}

/** A location of backups: a tar file in the backup folder, or objects below a prefix. */
export type BackupLocation =
  | { readonly kind: "file"; readonly name: string }
  | ({ readonly kind: "objects" } & ObjectsLocation);

/** A bucket and a prefix of an object store; no part of the prefix begins with a dot. */
export const OBJECTS_URL = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[a-z0-9][a-z0-9._-]{0,63}){0,16}$/;
const FILE = /^[a-z0-9][a-z0-9_-]{0,63}\.tar$/;

export const LOCATION_RULE =
  "must be a file of the backup folder, such as nightly.tar, or a bucket and a prefix, such as s3://bucket/prefix";

/** Parses `s3://bucket/prefix`; undefined if the text does not have this form. */
export function parseObjectsUrl(text: string): ObjectsLocation | undefined {
  if (!OBJECTS_URL.test(text)) return undefined;
  const [bucket = "", ...folders] = text.slice("s3://".length).split("/");
  return { bucket, prefix: folders.map((folder) => `${folder}/`).join("") };
}

/** Undefined if the text is not a location. */
export function parseBackupLocation(text: string): BackupLocation | undefined {
  if (FILE.test(text)) return { kind: "file", name: text };
  const objects = parseObjectsUrl(text);
  return objects && { kind: "objects", ...objects };
}

/** Whether a bucket and prefix are those of `allowed` or below them. */
export const isWithinObjects = (location: string, allowed: string): boolean =>
  location === allowed || location.startsWith(`${allowed}/`);
