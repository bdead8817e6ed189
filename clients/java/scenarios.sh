#!/bin/sh
# Builds the program of the scenarios and runs it (clients/README.md says what it reads).
set -eu
cd "$(dirname "$0")"
command -v mvn >/dev/null || { echo "clients/java/scenarios.sh: mvn is missing (Debian: apt-get install maven)" >&2; exit 1; }
exec mvn -q -B -Dstyle.color=never test-compile exec:java -Dexec.mainClass=dev.ctxdb.client.scenarios.Scenarios
