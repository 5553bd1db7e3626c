import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ClusterPaths } from '../paths.ts';
import { capture, run } from '../run.ts';
import { isMountPoint } from '../sandbox/mounts.ts';
import { NODE_ADDRESS } from './addresses.ts';

/** Makes the cluster's network: a namespace with the node's address on a bridge, and no way out. Repeatable. */
export async function createNetwork(paths: ClusterPaths): Promise<void> {
  const purpose = `create the network namespace ${paths.netns}`;
  if (!existsSync(paths.netnsFile)) await run('ip', ['netns', 'add', paths.netns], { purpose });
  // Not `ip -n`, which changes the mounts as well, and for that fails in a chroot.
  const enter = `--net=${paths.netnsFile}`;
  const links = await run('nsenter', [enter, 'ip', '-brief', 'link', 'show'], { purpose });
  await run('nsenter', [enter, 'ip', '-batch', '-'], { purpose, input: linkCommands(/^node0\b/m.test(links)) });
  // /proc/sys/net shows the network namespace of the process that reads it.
  await run('nsenter', [enter, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'], { purpose });
}

/** The default route leads nowhere, but without one a connection to a service's address fails before iptables sees it. */
export function linkCommands(bridgeExists: boolean): string {
  return [
    'link set lo up',
    ...(bridgeExists ? [] : ['link add node0 type bridge']), // a dummy interface would do, but not every kernel has them
    `addr replace ${NODE_ADDRESS}/24 dev node0`,
    'link set node0 up',
    `route replace default via ${NODE_ADDRESS} dev node0`,
    '',
  ].join('\n');
}

export async function removeNetwork(paths: ClusterPaths): Promise<void> {
  if (!existsSync(paths.netnsFile)) return;
  await run('ip', ['netns', 'delete', paths.netns], { purpose: `remove the network namespace ${paths.netns}` });
  // With the first namespace of a machine, `ip` mounts the folder on itself, and leaves that behind after the last one.
  const folder = dirname(paths.netnsFile);
  if (readdirSync(folder).length === 0 && isMountPoint(folder)) await capture('umount', [folder]);
}
