#!/bin/bash
# Called before an executor that is to be decommissioned is stopped. SIGPWR asks it to hand over its blocks; then this
# waits until it has ended, at most a minute.
pid=$(pgrep --newest --full KubernetesExecutorBackend)
[ -n "$pid" ] || exit 0
kill -PWR "$pid"
timeout 60 tail --pid="$pid" --follow /dev/null || true
