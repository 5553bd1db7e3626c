import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';

/** Pods for which a node has room. Nothing enforces it; it decides how many nodes there are. */
const PODS_PER_NODE = 1000;
const READY_SECONDS = 60;

/** Returns how many nodes have more than enough room for so many pods. */
export function nodesFor(pods: number): number {
  return Math.max(4, Math.ceil(1.3 * pods / PODS_PER_NODE));
}

/** Returns the name of a node; the first is 1. All have the same length. */
export function nodeName(index: number): string {
  return `simulated-${String(index).padStart(3, '0')}`;
}

function node(index: number): object {
  const name = nodeName(index);
  const capacity = { cpu: '8000', memory: '32Ti', pods: String(PODS_PER_NODE) };
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status: { capacity, allocatable: capacity } };
}

/** Configuration of kwok: nodes become ready. Without a stage for pods, kwok does not watch them. */
const CONFIGURATION = [
  // With any options, the others have no defaults.
  {
    apiVersion: 'config.kwok.x-k8s.io/v1alpha1',
    kind: 'KwokConfiguration',
    options: { nodePlayStageParallelism: 4, nodeLeaseParallelism: 4 },
  },
  {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name: 'node-is-ready' },
    spec: {
      resourceRef: { apiGroup: 'v1', kind: 'Node' },
      selector: {
        matchExpressions: [{ key: '.status.conditions.[] | select(.type == "Ready") | .status', operator: 'NotIn', values: ['True'] }],
      },
      // A template of Go that results in YAML.
      steps: [{
        patch: {
          subresource: 'status', root: 'status',
          template: 'conditions:\n- { type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }} }',
        },
      }],
    },
  },
];

/** Creates simulated nodes, and starts kwok, which makes them ready. It ends with the cluster. */
export async function startNodes({ admin, folder, task, fail }: Context, count: number): Promise<void> {
  for (let index = 1; index <= count; index++) await admin.json('POST', '/api/v1/nodes', node(index));
  const [configuration, log] = [join(folder, 'stages.yaml'), join(folder, 'kwok.log')];
  writeFileSync(configuration, CONFIGURATION.map((object) => JSON.stringify(object)).join('\n---\n'));
  const descriptor = openSync(log, 'w');
  const child = spawn(task.kwok!, [
    // Leases at long intervals, which the control plane expects.
    `--config=${configuration}`, `--kubeconfig=${process.env.KUBECONFIG}`, '--manage-all-nodes', '--node-lease-duration-seconds=1200',
    '--cidr=10.0.0.0/12', '--v=WARN',
    // It reads a configuration from HOME, too.
  ], { stdio: ['ignore', descriptor, descriptor], env: { ...process.env, HOME: folder } });
  closeSync(descriptor);
  const logTail = () => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  let problem: Error | undefined;
  child.once('exit', (code, signal) => fail(problem = new Error(`kwok ended with ${signal ?? code}\n${logTail()}`)));
  child.once('error', (error) => fail(problem = error));
  child.unref();
  for (const end = performance.now() + READY_SECONDS * 1000; ; await sleep(200)) {
    if (problem) throw problem;
    const { items } = await admin.json('GET', '/api/v1/nodes');
    if (items.every((item: any) => item.status.conditions?.length > 0)) return;
    if (performance.now() > end) throw new Error(`the simulated nodes are not ready after ${READY_SECONDS} s\n${logTail()}`);
  }
}
