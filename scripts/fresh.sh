#!/bin/sh
# Proves that gen/ and docs/reference/ are what proto/ gives: generates into a temporary folder and compares. Run through npm (buf and tsx on the PATH).
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
buf generate -o "$out"
tsx scripts/comments.ts "$out/gen/comments.ts"
if ! diff -r gen "$out/gen"; then
  echo "gen/ is stale: run npm run gen" >&2
  exit 1
fi
tsx scripts/reference.ts "$out/reference"
if ! diff -r docs/reference "$out/reference"; then
  echo "docs/reference/ is stale: run npm run gen" >&2
  exit 1
fi
