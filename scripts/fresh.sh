#!/bin/sh
# Proves that gen/ is what proto/ gives: generates into a temporary folder and compares. Run through npm (buf and tsx on the PATH).
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
buf generate -o "$out"
tsx scripts/comments.ts "$out/gen/comments.ts"
if ! diff -r gen "$out/gen"; then
  echo "gen/ is stale: run npm run gen" >&2
  exit 1
fi
