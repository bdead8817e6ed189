#!/bin/sh
# The steps of the image, run by the Dockerfile and, where there is no container engine, by scripts/container-test.sh:
#   build             installs and compiles in a clean checkout
#   assemble FOLDER   puts what the server needs at run time into FOLDER, and nothing else
set -eu
cd "$(dirname "$0")/.."

build() {
  npm ci
  # fails where no FAISS is shipped for the machine: an image without it is none
  npm run faiss
}

assemble() {
  into=$1
  npm prune --omit=dev --ignore-scripts
  mkdir -p "$into"
  cp -R dist models native node_modules package.json LICENSE NOTICE "$into"
  cp scripts/container-health.mjs "$into/health.mjs"
  trim "$into"
  # whoever runs the server writes to its data folder alone
  chmod -R a-w,a+rX "$into"
}

# What packages bring for other machines, for compilers and for debuggers.
trim() {
  cd "$1"
  arch=$(node -p process.arch)
  rm -rf models/recipe native/faiss/lapack-runtime.c
  find native/faiss -mindepth 1 -maxdepth 1 -name 'linux-*' ! -name "linux-$arch" -exec rm -rf {} +
  find dist node_modules -name '*.map' -delete
  find node_modules \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
  find node_modules/onnxruntime-node/bin -mindepth 2 -maxdepth 2 ! -name linux -exec rm -rf {} +
  find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 ! -name "$arch" -exec rm -rf {} +
  find node_modules/classic-level/prebuilds -mindepth 1 -maxdepth 1 ! -name "linux-$arch" -exec rm -rf {} +
  find node_modules/swagger-ui-dist -type f ! -name package.json ! -name 'LICENSE' ! -name 'NOTICE' \
    ! -name swagger-ui.css ! -name swagger-ui-bundle.js -delete
  find node_modules/@opentelemetry -type d -path '*/build/esnext' -prune -exec rm -rf {} +
  rm -rf node_modules/zod/src node_modules/pdfjs-dist/types node_modules/pdfjs-dist/web node_modules/pdfjs-dist/legacy/web
}

case ${1:-} in
  build) build ;;
  assemble) assemble "${2:?assemble needs a folder}" ;;
  *)
    echo "usage: $0 build | assemble FOLDER" >&2
    exit 2
    ;;
esac
