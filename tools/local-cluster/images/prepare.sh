#!/bin/sh
# Runs a containerd just long enough to unpack images into its store.
#   prepare.sh <configuration> <socket> <snapshotter> <layout>…
set -eu
config=$1 socket=$2 snapshotter=$3
shift 3

containerd --config "$config" &
containerd=$!
trap 'kill $containerd 2>/dev/null || true; wait $containerd || true' EXIT

tries=100
until ctr --address "$socket" version >/dev/null 2>&1; do
  tries=$((tries - 1))
  [ $tries -gt 0 ] && kill -0 $containerd
  sleep 0.1
done
for layout in "$@"; do
  tar --create --directory "$layout" . | ctr --address "$socket" --namespace k8s.io images import --snapshotter "$snapshotter" -
done
