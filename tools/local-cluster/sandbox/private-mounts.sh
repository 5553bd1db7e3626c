#!/bin/sh
# Runs a command in a mount namespace that is new (from `unshare --mount --propagation unchanged`), such that none of its
# mounts gets out of there, and that the root is a mount point: in a chroot it need not be, and neither runc nor buildah
# can work with that.
#   private-mounts.sh <empty folder for a root> <command>…
set -eu
root=$1
shift

while read -r _ _ _ _ target _; do
  if [ "$target" = / ]; then
    mount --make-rslave /
    exec "$@"
  fi
done </proc/self/mountinfo

# In a chroot into a plain folder, no path leads to the mount that the folder is on. But whoever enters a mount namespace,
# even the own, gets to its real root. From there the present root, bound to a place where it is a mount, can take over.
nsenter --mount=/proc/self/ns/mnt mount --make-rslave /
mkdir -p "$root"
mount --rbind / "$root"
cd "$root"
# shellcheck disable=SC2016
exec nsenter --mount=/proc/self/ns/mnt --wd=. sh -c '
  PATH=$PATH:/usr/sbin:/sbin
  pivot_root . .
  umount --lazy --no-canonicalize .
  cd "$0"
  exec "$@"' "$OLDPWD" "$@"
