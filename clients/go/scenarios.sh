#!/bin/sh
# Builds the program that runs clients/scenarios.json through this client, and runs it; see clients/README.md.
set -eu
cd "$(dirname "$0")"
command -v go >/dev/null || { echo "clients/go/scenarios.sh: go is missing" >&2; exit 1; }
exec go run ./internal/scenarios
