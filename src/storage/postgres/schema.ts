/** SQLSTATE codes of refused changes (see Committer); PostgreSQL does not use them. */
export const LOST = "CX001";
export const TAKEN = "CX002";

/**
 * Creates the table of the format in an empty database. A negative format is that of an unfinished import.
 */
export const EMPTY = `
CREATE SCHEMA IF NOT EXISTS ctxdb;
CREATE TABLE IF NOT EXISTS ctxdb.format (version int PRIMARY KEY);
INSERT INTO ctxdb.format SELECT 0 WHERE NOT EXISTS (SELECT FROM ctxdb.format)`;

/**
 * Steps from each format of the tables to the next, starting with an empty database. A step can be repeated,
 * and removes nothing that running servers of the previous version use. Workspaces are identified by number;
 * 0 contains the server's own records. A fill factor leaves space in the pages of members and workspaces,
 * because their rows change often.
 */
export const STEPS: readonly string[] = [
  `
CREATE SEQUENCE IF NOT EXISTS ctxdb.incarnations;
CREATE TABLE IF NOT EXISTS ctxdb.members (
  member bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  url text NOT NULL,
  until timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS ctxdb.workspaces (
  incarnation bigint PRIMARY KEY,
  member bigint,
  turn bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS ctxdb.kv (
  incarnation bigint NOT NULL,
  key bytea NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (incarnation, key)
);
ALTER TABLE ctxdb.kv ALTER COLUMN value SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS ctxdb.changes (
  incarnation bigint NOT NULL,
  version bigint NOT NULL,
  keys bytea[] NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (incarnation, version)
);
CREATE INDEX IF NOT EXISTS changes_at ON ctxdb.changes USING brin (at);
CREATE TABLE IF NOT EXISTS ctxdb.directory (key bytea PRIMARY KEY, incarnation bigint NOT NULL);
CREATE TABLE IF NOT EXISTS ctxdb.facts (key text PRIMARY KEY, value jsonb NOT NULL);
CREATE OR REPLACE FUNCTION ctxdb.refuse(code text) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = code; END $$;
CREATE OR REPLACE FUNCTION ctxdb.together(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object(
    'sums', (SELECT coalesce(jsonb_object_agg(key, total), '{}') FROM (
      SELECT key, sum(value::numeric) AS total FROM (
        SELECT * FROM jsonb_each_text(a->'sums') UNION ALL SELECT * FROM jsonb_each_text(b->'sums')) s
      GROUP BY key) t),
    'highest', (SELECT coalesce(jsonb_object_agg(key, most), '{}') FROM (
      SELECT key, max(value::numeric) AS most FROM (
        SELECT * FROM jsonb_each_text(a->'highest') UNION ALL SELECT * FROM jsonb_each_text(b->'highest')) s
      GROUP BY key) t)) $$;
`,
  `
ALTER TABLE ctxdb.members ADD COLUMN IF NOT EXISTS draining boolean NOT NULL DEFAULT false;
CREATE TABLE IF NOT EXISTS ctxdb.hand_overs (
  incarnation bigint PRIMARY KEY,
  target bigint NOT NULL,
  state text NOT NULL,
  reason text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
`,
  // a restored database assigns numbers of members, turns and versions again; these ids are never reused
  `
ALTER TABLE ctxdb.members ADD COLUMN IF NOT EXISTS life uuid;
ALTER TABLE ctxdb.workspaces ADD COLUMN IF NOT EXISTS written uuid;
ALTER TABLE ctxdb.changes ADD COLUMN IF NOT EXISTS after uuid;
`,
];

/** The format of the tables that this version uses. */
export const FORMAT = STEPS.length;
