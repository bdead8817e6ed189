#!/bin/sh
# Copies the protos that Maven compiles from the repository: generate.sh [OUT_FOLDER]. Needs no tools.
set -eu
cd "$(dirname "$0")"
out=${1:-src/main/proto}
mkdir -p "$out/ctxdb/v1" "$out/grpc/health/v1"
cp ../../proto/ctxdb/v1/*.proto "$out/ctxdb/v1/"
cp ../../proto/grpc/health/v1/health.proto "$out/grpc/health/v1/"
