#!/bin/bash
# Runs a Spark driver as its container would: files, user, host name, addresses and entrypoint of a driver pod. Its output
# goes to `log` in the job's folder, and its exit code is that of this script. Started by main.ts as root, in mount, network,
# host name and process namespaces of its own.
#
# Usage: container.sh SPARK_HOME JOB NODE
#   SPARK_HOME  Spark's folder, laid out as in its images
#   JOB         folder with work/ (files of the working folder), jars/ (jars added to the image), spark.properties,
#               arguments (of the entrypoint, one a line), environment, and optionally setup.sh and signal
#   NODE        Node.js, for the servers
set -e
spark_home=$1 job=$2 node=$3
here=$(dirname "$(readlink -f "$0")")
java_home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
namespace=jobs pod=daily-report-driver address=10.244.1.23 local_dir=spark-5f0a54f2-3c0e-4c8e-9d1b-8e0a3f6b7c21

mount --make-rprivate /
root=$job/root
mkdir "$root"
mount -t tmpfs -o mode=755 tmpfs "$root"
mkdir -p "$root"/{usr,etc,proc,dev,sys,run,home,tmp,var/tmp,var/data,opt/spark,opt/java/openjdk,overlay/upper/{conf,work-dir},overlay/work}
for link in bin lib lib64 sbin; do ln -s "usr/$link" "$root/$link"; done
chmod 1777 "$root"/{tmp,var/tmp,var/data}
mount --rbind -o ro /usr "$root/usr"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount --bind -o ro "$java_home" "$root/opt/java/openjdk"
for path in alternatives java-17-openjdk R ld.so.cache ld.so.conf ld.so.conf.d nsswitch.conf protocols services python3 python3.11 ssl; do
  if [ -e "/etc/$path" ]; then cp -a "/etc/$path" "$root/etc/"; fi
done
printf 'root:x:0:0:root:/root:/bin/bash\nspark:x:185:185::/home/spark:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nspark:x:185:\n' >"$root/etc/group"
printf '127.0.0.1 localhost\n%s %s %s-svc.%s.svc %s-svc\n' "$address" "$pod" "$pod" "$namespace" "$pod" >"$root/etc/hosts"
printf 'search %s.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n' "$namespace" >"$root/etc/resolv.conf"
echo "$pod" >"$root/etc/hostname"
hostname "$pod"
install -d -o 185 "$root/home/spark"

cp -r "$job/work/." "$root/overlay/upper/work-dir/"
cp -r "$job/jars" "$root/overlay/upper/jars"
cp "$job/spark.properties" "$root/overlay/upper/conf/"
install -d -o 185 "$root/overlay/upper/work" # of the workers of local-cluster
chown 185:0 "$root/overlay/upper/work-dir"
chmod 775 "$root/overlay/upper/work-dir"
mount -t overlay -o "lowerdir=$spark_home,upperdir=$root/overlay/upper,workdir=$root/overlay/work" overlay "$root/opt/spark"
install -m 755 "$here/entrypoint.sh" "$root/opt/entrypoint.sh"

# No network but the pod's own address and those of the servers. The name server knows no name.
ip link set lo up
for own in "$address" 10.96.0.1 10.96.0.10; do ip address add "$own/32" dev lo; done
"$node" --no-warnings "$here/servers.ts" "$job/ready" &
until [ -e "$job/ready" ]; do sleep 0.1; done
if [ -e "$job/setup.sh" ]; then . "$job/setup.sh"; fi

mapfile -t arguments <"$job/arguments"
mapfile -t environment <"$job/environment"
# Options that make a JVM's start cheap, and do not show in its output.
cheap='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote'
cat >"$root/start.sh" <<'END'
cd /opt/spark/work-dir && exec setpriv --reuid=185 --regid=0 --clear-groups /opt/entrypoint.sh "$@"
END
env -i PATH=/opt/java/openjdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin SPARK_HOME=/opt/spark JAVA_HOME=/opt/java/openjdk \
  SPARK_DRIVER_BIND_ADDRESS=$address SPARK_LOCAL_DIRS=/var/data/$local_dir SPARK_CONF_DIR=/opt/spark/conf \
  SPARK_SUBMIT_OPTS="$cheap" SPARK_LAUNCHER_OPTS="$cheap" \
  SPARK_USER=spark HOME=/home/spark HOSTNAME=$pod LANG=C.UTF-8 "${environment[@]}" \
  chroot "$root" /bin/bash /start.sh "${arguments[@]}" >"$job/log" 2>&1 &
driver=$!

# A signal as a kubelet or the kernel sends it, once the log has a text: the first line of `signal` is the signal, the second the text.
if [ -e "$job/signal" ]; then
  { read -r signal; read -r text; } <"$job/signal"
  until grep --quiet "$text" "$job/log" || ! kill -0 "$driver"; do sleep 0.2; done
  if [ "$signal" = KILL ]; then kill -KILL "$(pgrep --parent "$driver")"; else kill "-$signal" "$driver"; fi
fi
wait "$driver"
