#!/bin/sh
# Proves that the stubs of the clients are what proto/ gives: generates them in a copy and looks for differences. clients-fresh.sh [LANGUAGE …]
set -eu
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard proto clients scripts .gitignore .gitattributes buf.yaml | xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\0" "$file"; done' sh | tar -c --null -T - | tar -x -C "$copy"
ln -s "$PWD/node_modules" "$copy/node_modules"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/clients/rust/target}"
cd "$copy"
git init -q && git add -A && git -c user.name=fresh -c user.email=fresh@localhost commit -q -m before
sh scripts/gen-clients.sh "$@"
git add -A
if ! git diff --cached --quiet; then
  git --no-pager diff --cached --stat | cat
  echo "the stubs of the clients are stale: run npm run gen" >&2
  exit 1
fi
echo "the stubs of the clients are fresh"
