#!/bin/sh
# Makes the stubs in src/gen from the protos of the repository: generate.sh [OUT_FOLDER]. Needs cargo.
set -eu
cd "$(dirname "$0")"
command -v cargo >/dev/null || { echo "clients/rust/generate.sh: cargo is missing (https://rustup.rs)" >&2; exit 1; }
cargo run --quiet --locked --package generate -- ../../proto "${1:-src/gen}"
