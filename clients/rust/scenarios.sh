#!/bin/sh
# Builds and tests the client, then runs the program of the scenarios (clients/README.md says what it reads).
set -eu
cd "$(dirname "$0")"
command -v cargo >/dev/null || { echo "clients/rust/scenarios.sh: cargo is missing (https://rustup.rs)" >&2; exit 1; }
cargo test --quiet --locked >&2
exec cargo run --quiet --locked --package scenarios
