#!/usr/bin/env bash
# Makes ctxdb/_gen from ../../proto, and ctxdb/blocking from ctxdb/aio. The generators are pinned here and live in a cache folder; needs Python 3.10 and PyPI.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
readonly TOOLS=(grpcio-tools==1.76.0 ruff==0.17.6)
venv="${XDG_CACHE_HOME:-$HOME/.cache}/ctxdb-clients/python-${TOOLS[*]//[ =]/-}"

if [[ ! -e $venv/ready ]]; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check "${TOOLS[@]}"
  touch "$venv/ready"
fi
"$venv/bin/python" tools/messages.py ../../proto ctxdb/_gen
"$venv/bin/python" tools/blocking.py ctxdb/aio ctxdb/blocking
"$venv/bin/ruff" format -q ctxdb/blocking
