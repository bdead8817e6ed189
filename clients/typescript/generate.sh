#!/bin/sh
# Generates the stubs into the folder $1, from proto/ of the repository. The generator's version stands in its package.json.
set -eu
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
PATH="$PWD/node_modules/.bin:$PATH" buf generate --template clients/typescript/buf.gen.yaml -o "$out"
