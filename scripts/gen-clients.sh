#!/bin/sh
# Generates the stubs of the clients again: gen-clients.sh [LANGUAGE …], without arguments of all of them. A missing tool chain is an error.
set -eu
cd "$(dirname "$0")/.."

tool_of() {
  case $1 in
    python) echo python3 ;;
    go) echo go ;;
    rust) echo cargo ;;
    *) echo sh ;;
  esac
}

[ $# -gt 0 ] || set -- typescript python go java rust
for language; do
  script=clients/$language/generate.sh
  if ! [ -f "$script" ]; then
    echo "$script is missing" >&2
    exit 1
  fi
  tool=$(tool_of "$language")
  if ! command -v "$tool" >/dev/null; then
    echo "clients/$language needs $tool on the PATH; to generate others alone, name them: npm run gen:clients -- typescript" >&2
    exit 1
  fi
  echo "generating clients/$language"
  "./$script"
done
