#!/bin/sh
# The first process of a cluster's own PID and mount namespaces. It hides the folders in which node programs leave
# things behind at fixed places, so that clusters neither meet there nor leave anything, and then only waits.
#   init.sh <cache folder> <state folder> <name>
set -eu
cache=$1 state=$2 name=$3

# The outer /proc is still mounted, so this is the number by which others know this process.
read -r pid _ </proc/self/stat
mount --make-rshared / # as the volumes of pods expect it

exec 9<"$cache"
for folder in /run /var/lib /var/log; do
  mount -t tmpfs -o mode=755 "cluster-$name" "$folder"
  if [ ! -e "$state" ]; then # the cache is in there: show it again
    mkdir -p "$cache"
    mount --no-canonicalize --bind /proc/self/fd/9 "$cache"
  fi
done
exec 9<&-

# Mounts of pods below this one shall not appear a second time in the state folder.
mkdir -p /var/lib/kubelet "$state/kubelet"
mount --bind "$state/kubelet" /var/lib/kubelet
mount --make-private /var/lib/kubelet
mount --make-shared /var/lib/kubelet

mount -t proc proc /proc
echo "$pid" >"$state/init.pid.new"
mv "$state/init.pid.new" "$state/init.pid"
exec "$state/bin/cluster-init" "$name" "$state"
