#!/bin/sh
# Installs what checks the Helm chart into ~/.cache/ctxdb-clients: Helm, as a Go module, and kubernetes-validate, which
# has the schemas of Kubernetes. Takes minutes the first time and nothing afterwards.
set -eu
home=${HOME:?}/.cache/ctxdb-clients/helm-v3.22.0
if [ ! -x "$home/helm" ]; then
  GOBIN=$home GOFLAGS=-modcacherw CGO_ENABLED=0 go install helm.sh/helm/v3/cmd/helm@v3.22.0
fi
if [ ! -d "$home/python" ]; then
  rm -rf "$home/python.new"
  python3 -m pip install --quiet --target "$home/python.new" kubernetes-validate==1.37.0
  mv "$home/python.new" "$home/python"
fi
echo "$home"
