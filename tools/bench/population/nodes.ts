import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../api-client.ts';
import { endWithUs } from '../children.ts';

/** Pods that a node says it takes; it has processors and memory for more. Nothing enforces it here; it decides how many nodes there are. */
const PODS_PER_NODE = 1000;
const READY_SECONDS = 60;

/** How many nodes have more than the place that so many pods need. */
export function nodesFor(pods: number): number {
  return Math.max(4, Math.ceil(1.3 * pods / PODS_PER_NODE));
}

/** The name of a node; the first is 1. All are of one length. */
export function nodeName(index: number): string {
  return `simulated-${String(index).padStart(3, '0')}`;
}

/** A node as a kubelet registers it, that does not say yet that it is ready. */
export function node(index: number): object {
  const name = nodeName(index);
  const capacity = { cpu: '8000', memory: '32Ti', pods: String(PODS_PER_NODE) };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
    status: { capacity, allocatable: capacity },
  };
}

/** What kwok does: nodes are ready. Without a stage for pods it leaves these alone, and does not watch them. */
export function stages(): object[] {
  const isNotReady = { key: '.status.conditions.[] | select(.type == "Ready") | .status', operator: 'NotIn', values: ['True'] };
  // The template is Go's, and comes to YAML.
  const template = 'conditions:\n- { type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }} }';
  return [{
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name: 'node-is-ready' },
    spec: { resourceRef: { apiGroup: 'v1', kind: 'Node' }, selector: { matchExpressions: [isNotReady] }, steps: [{ patch: { subresource: 'status', root: 'status', template } }] },
  }];
}

/** Where there are options, the others have no defaults. */
const OPTIONS = { apiVersion: 'config.kwok.x-k8s.io/v1alpha1', kind: 'KwokConfiguration', options: { nodePlayStageParallelism: 4, nodeLeaseParallelism: 4 } };

/** Nodes that do not exist, and kwok, which says that they are there. */
export class SimulatedNodes {
  readonly count: number;
  private readonly child: ChildProcess;
  private readonly log: string;

  private constructor(program: string, folder: string, count: number) {
    this.count = count;
    this.log = join(folder, 'kwok.log');
    const configuration = join(folder, 'stages.yaml');
    writeFileSync(configuration, [OPTIONS, ...stages()].map((object) => JSON.stringify(object)).join('\n---\n'));
    const log = openSync(this.log, 'w');
    this.child = spawn(program, [
      // Leases at long intervals: the control plane is told to wait for them.
      `--config=${configuration}`, `--kubeconfig=${process.env.KUBECONFIG}`, '--manage-all-nodes', '--node-lease-duration-seconds=1200', '--cidr=10.0.0.0/12', '--v=WARN',
      // It reads a configuration in there, too.
    ], { stdio: ['ignore', log, log], env: { ...process.env, HOME: folder } });
    closeSync(log);
    endWithUs(this.child);
  }

  /** @param program the path of kwok */
  static async start(admin: ApiClient, program: string, folder: string, count: number): Promise<SimulatedNodes> {
    for (let index = 1; index <= count; index++) await admin.json('POST', '/api/v1/nodes', node(index));
    const nodes = new SimulatedNodes(program, folder, count);
    // kwok makes them ready. They keep the taint with which the API server lets them begin, at which only a scheduler would look.
    for (const end = performance.now() + READY_SECONDS * 1000; ; await sleep(200)) {
      nodes.check();
      const { items } = await admin.json('GET', '/api/v1/nodes');
      if (items.every((item: any) => item.status.conditions?.length > 0)) return nodes;
      if (performance.now() > end) throw new Error(`the simulated nodes are not ready after ${READY_SECONDS} s\n${nodes.logTail()}`);
    }
  }

  /** @throws Error if kwok has ended */
  check(): void {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) throw new Error(`kwok ended with ${signalCode ?? exitCode}\n${this.logTail()}`);
  }

  /** The end of kwok's log, for an error. */
  logTail(): string {
    return ["kwok's log ends with", ...readFileSync(this.log, 'utf8').trimEnd().split('\n').slice(-5).map((line) => `  ${line.slice(0, 500)}`)].join('\n');
  }
}
