#!/bin/sh
# Generates src/gen from proto/ of the repository. The generator's version stands in the package.json of the repository.
set -eu
cd "$(dirname "$0")/../.."
PATH="$PWD/node_modules/.bin:$PATH"
rm -rf clients/typescript/src/gen
buf generate --template clients/typescript/buf.gen.yaml -o clients/typescript/src/gen
