#!/bin/sh
# Builds and tests the client, then runs the program of the scenarios (clients/README.md says what it reads).
set -eu
cd "$(dirname "$0")"
command -v mvn >/dev/null || { echo "clients/java/scenarios.sh: mvn is missing (Debian: apt-get install maven)" >&2; exit 1; }
exec mvn -q -B -Dstyle.color=never test exec:java -Dexec.mainClass=dev.ctxdb.client.scenarios.Scenarios
