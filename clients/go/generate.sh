#!/bin/sh
# generate.sh [FOLDER]: makes what lies in ctxdbv1 from ../../proto.
# The generators are pinned here and live in a cache folder; needs Go, and Python 3.10 with PyPI, which brings protoc along.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/ctxdbv1}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$here"
for tool in go python3; do
  command -v "$tool" >/dev/null || { echo "clients/go/generate.sh: $tool is missing" >&2; exit 1; }
done
PROTOC=grpcio-tools==1.76.0
PROTOC_GEN_GO=google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12
PROTOC_GEN_GO_GRPC=google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2
PACKAGE=github.com/ctxdb/ctxdb/clients/go/ctxdbv1
cache="${XDG_CACHE_HOME:-$HOME/.cache}/ctxdb-clients/go-$(echo "$PROTOC $PROTOC_GEN_GO $PROTOC_GEN_GO_GRPC" | cksum | cut -d' ' -f1)"

if [ ! -e "$cache/ready" ]; then
  python3 -m venv --clear "$cache/venv"
  "$cache/venv/bin/pip" install -q --disable-pip-version-check "$PROTOC"
  GOBIN="$cache/bin" go install "$PROTOC_GEN_GO"
  GOBIN="$cache/bin" go install "$PROTOC_GEN_GO_GRPC"
  touch "$cache/ready"
fi

options="module=$PACKAGE"
files=""
for file in ../../proto/ctxdb/v1/*.proto; do
  name=ctxdb/v1/${file##*/}
  options="$options,M$name=$PACKAGE"
  files="$files $name"
done
rm -rf "${out:?}"/*
# shellcheck disable=SC2086
PATH="$cache/bin:$PATH" "$cache/venv/bin/python" -m grpc_tools.protoc -I../../proto --go_out="$out" --go_opt="$options" --go-grpc_out="$out" --go-grpc_opt="$options" $files
