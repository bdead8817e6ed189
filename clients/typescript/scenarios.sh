#!/bin/sh
# Runs the shared list of scenarios over every wire of this client, or over $CTXDB_WIRE alone; see ../README.md. Needs tsx on the PATH (npm run test:clients has it).
set -u
cd "$(dirname "$0")"
status=0
for wire in ${CTXDB_WIRE:-grpc connect http1 chromium}; do
  echo "typescript over $wire"
  program=node
  [ "$wire" != chromium ] || program=chromium
  CTXDB_WIRE=$wire tsx "scenarios/$program.ts" || status=1
done
exit "$status"
