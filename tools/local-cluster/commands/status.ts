import type { CommandOf } from '../cli.ts';
import { status as readStatus } from '../index.ts';

export async function status(command: CommandOf<'status'>): Promise<number> {
  const cluster = await readStatus(command.name);
  if (command.json) {
    console.log(JSON.stringify(cluster, undefined, 2));
  } else if (!cluster.exists) {
    console.log(`There is no cluster ${cluster.name}. Start one with \`npm run cluster -- up\`.`);
  } else {
    const rows = Object.entries({
      'cluster': `${cluster.name}, ${cluster.running ? 'running' : `not whole${cluster.missing.length > 0 ? ` (missing: ${cluster.missing.join(', ')})` : ''}`}`,
      'kind': cluster.controlPlaneOnly ? 'control plane only' : 'control plane and node',
      'nodes': cluster.nodes.map((node) => `${node.name} ${node.ready ? 'ready' : 'not ready'}`).join(', ') || 'none',
      'audit log': cluster.auditLog ?? 'off',
      'kubeconfig': cluster.kubeconfig,
      'network': cluster.netns,
      'logs': cluster.logs,
    });
    console.log(rows.map(([key, value]) => `${key.padEnd(12)}${value}`).join('\n'));
  }
  return cluster.running ? 0 : 1;
}
