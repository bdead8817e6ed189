#!/bin/sh
# Builds the program of the scenarios and runs it (clients/README.md says what it reads).
set -eu
cd "$(dirname "$0")"
command -v cargo >/dev/null || { echo "clients/rust/scenarios.sh: cargo is missing (https://rustup.rs)" >&2; exit 1; }
exec cargo run --quiet --locked --package scenarios
