#!/usr/bin/env bash
# Proves the steps of the image without a container engine: builds from a clean clone in a fresh folder, runs the result as another user over a data folder,
# with a read-only root where this user may make one. With --built it takes what this checkout has built. Last line: `N passed, N failed`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# what the image adds to its base beside Debian packages
readonly MOST_MEGABYTES=300
readonly READY_SECONDS=30
readonly STOP_SECONDS=5
readonly USER_ID=10001
readonly KEY=container-test-key

work=$(mktemp -d)
app=$work/app
data=$work/data
server=
port=0
passed=0
failed=0
finish() {
  if [[ -n $server ]]; then kill -KILL "$server" 2>/dev/null || true; fi
  chmod -R u+w "$work" && rm -rf "$work"
}
trap finish EXIT

# whether this user may make a root that cannot be written
sealed=0
if ((EUID == 0)) && unshare --mount mount -o remount,bind,ro / 2>/dev/null; then sealed=1; fi

# check NAME COMMAND...: runs a check and counts it.
check() {
  local name=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    passed=$((passed + 1))
    echo "ok   $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    tail -n 20 "$work/output"
  fi
}

# inside COMMAND...: as in the container: an own user, nothing writable but the data folder, no environment but the image's.
inside() {
  local environment=(env -i PATH="$PATH" NODE_ENV=production CTXDB_HOST=0.0.0.0 CTXDB_PORT="$port" CTXDB_DATA_DIR="$data" "${settings[@]}")
  if ((EUID != 0)); then
    exec "${environment[@]}" "$@"
  fi
  local user=(setpriv --reuid="$USER_ID" --regid="$USER_ID" --clear-groups --no-new-privs --bounding-set=-all)
  if ((!sealed)); then exec "${user[@]}" "${environment[@]}" "$@"; fi
  # shellcheck disable=SC2016
  exec unshare --mount sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && exec "$@"' "$data" "${user[@]}" "${environment[@]}" "$@"
}

start() {
  : >"$work/log"
  port=0
  (cd "$app" && inside node dist/src/main.js) >"$work/log" 2>&1 &
  server=$!
  local tenths=0
  while ! grep -q '"msg":"listening"' "$work/log"; do
    if ((tenths++ >= READY_SECONDS * 10)) || ! kill -0 "$server" 2>/dev/null; then
      cat "$work/log"
      return 1
    fi
    sleep 0.1
  done
  port=$(grep -o '"port":[0-9]*' "$work/log" | head -n 1 | cut -d : -f 2)
}

# Ends by SIGTERM within the time, with status 0.
stop() {
  local began=$SECONDS status=0
  kill -TERM "$server"
  wait "$server" || status=$?
  server=
  echo "status $status after $((SECONDS - began)) s"
  ((status == 0 && SECONDS - began <= STOP_SECONDS))
}

call() {
  local method=$1 path=$2
  shift 2
  curl -fsS -m 20 -X "$method" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' "http://127.0.0.1:$port/api/v1/$path" "$@"
}

small_enough() {
  local megabytes
  megabytes=$(du -sm "$app" | cut -f 1)
  echo "$megabytes MB, at most $MOST_MEGABYTES"
  ((megabytes <= MOST_MEGABYTES))
}

no_development() { ! ls -d "$app"/node_modules/{typescript,vitest,@biomejs,esbuild,tsx} 2>/dev/null; }
refused_without_key() {
  local status=0
  (settings=() && port=0 && cd "$app" && inside node dist/src/main.js) >"$work/refused" 2>&1 || status=$?
  cat "$work/refused"
  ((status != 0)) && grep -q CTXDB_ROOT_API_KEY "$work/refused"
}
other_user() { [[ $(stat -c %u "/proc/$server") != 0 ]]; }
healthy() { (inside node "$app/health.mjs"); }
unhealthy() { ! (inside node "$app/health.mjs"); }
faiss_loads() { (inside node -e "new (require('$app/native/faiss/linux-' + process.arch + '/faiss-node.node').IndexFlatL2)(4)"); }
writes() { call POST content/write -d '{"uri":"ctx://resources/notes/kept.md","content":"The blue room seats twelve.","mode":"create","wait":true}'; }
imports() {
  local upload
  printf '<html><head><title>Rooms</title></head><body><h1>Rooms</h1><p>The green room has a piano.</p></body></html>' >"$work/rooms.html"
  upload=$(curl -fsS -m 20 -H "X-API-Key: $KEY" -F "file=@$work/rooms.html" "http://127.0.0.1:$port/api/v1/resources/temp_upload")
  call POST resources -d "{\"temp_path\":\"$(grep -o '"temp_path":"[^"]*"' <<<"$upload" | cut -d '"' -f 4)\",\"wait\":true}" | grep '"status":"success"'
}
reads() { call GET 'content/read?uri=ctx://resources/notes/kept.md' | grep 'seats twelve'; }
finds() { call POST search/find -d '{"query":"how many people fit into the blue room?","limit":1}' | grep 'notes/kept.md'; }
shows_docs() { curl -fsS -m 20 "http://127.0.0.1:$port/docs/swagger-ui-bundle.js" -o "$work/bundle" && test -s "$work/bundle"; }
speaks_mcp() {
  curl -fsS -m 20 -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
    "http://127.0.0.1:$port/mcp" -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | grep '"name":"find"'
}
nothing_else_written() { ! find "$app" -newer "$work/started" ! -type d | grep .; }

git clone -q --no-hardlinks . "$work/source"
if [[ ${1-} == --built ]]; then
  # without what other tests keep beside the packages
  tar -c --exclude=node_modules/.cache dist node_modules | tar -x -C "$work/source"
else
  check "builds from a clean clone" sh "$work/source/scripts/container-steps.sh" build
fi
check "is put together with production dependencies" sh "$work/source/scripts/container-steps.sh" assemble "$app"
rm -rf "$work/source"
check "is small" small_enough
cat "$work/output"
check "holds no tools of development" no_development

mkdir "$data"
chmod 755 "$work"
if ((EUID == 0)); then chown "$USER_ID:$USER_ID" "$data"; fi
check "is refused without a root key" refused_without_key
settings=(CTXDB_ROOT_API_KEY="$KEY")
touch "$work/started"
root="a root of this machine's rights"
if ((sealed)); then root="a read-only root"; fi
check "starts over $root" start
if ((EUID == 0)); then check "does not run as root" other_user; fi
check "is healthy" healthy
check "loads FAISS" faiss_loads
check "takes a document" writes
check "reads a file in a process of its own" imports
check "shows its API" shows_docs
check "speaks MCP" speaks_mcp
check "ends by SIGTERM within $STOP_SECONDS s" stop
check "is not healthy any more" unhealthy
check "starts again" start
check "has kept the document" reads
check "finds it" finds
check "ends again" stop
check "wrote nowhere but into the data folder" nothing_else_written

echo "$passed passed, $failed failed"
((failed == 0))
