#!/bin/sh
# Checks and tests the client, and runs clients/scenarios.json through it; see clients/README.md.
set -eu
cd "$(dirname "$0")"
command -v go >/dev/null || { echo "clients/go/scenarios.sh: go is missing" >&2; exit 1; }
{
  go vet ./...
  go test ./...
} >&2
exec go run ./internal/scenarios
