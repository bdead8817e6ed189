#!/bin/sh
# Compares proto/ with the one on the branch main (or on the ref named by $1); nothing to compare with is no error.
set -eu
ref=${1:-main}
if ! git cat-file -e "$ref:proto" 2>/dev/null; then
  echo "no proto/ on $ref: nothing to compare with"
  exit 0
fi
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
git archive "$ref" proto buf.yaml | tar -x -C "$before"
buf breaking --against "$before"
