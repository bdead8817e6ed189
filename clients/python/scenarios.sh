#!/bin/sh
# Installs the client into a cache folder, checks and tests it, and runs clients/scenarios.json through it, blocking and asyncio;
# see clients/README.md.
set -eu
cd "$(dirname "$0")"
command -v python3 >/dev/null || { echo "clients/python/scenarios.sh: python3 is missing" >&2; exit 1; }
venv="${XDG_CACHE_HOME:-$HOME/.cache}/ctxdb-clients/python-scenarios"
[ -e "$venv/ready" ] || { python3 -m venv --clear "$venv" && touch "$venv/ready"; }
"$venv/bin/pip" install -q --disable-pip-version-check -e '.[dev]'
{
  "$venv/bin/mypy"
  "$venv/bin/ruff" check -q
  "$venv/bin/ruff" format -q --check
  "$venv/bin/pytest" -q tests
} >&2
exec "$venv/bin/python" scenarios/run.py
