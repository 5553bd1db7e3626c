import { readFileSync } from 'node:fs';
import { release, totalmem, type as system } from 'node:os';
import { KUBERNETES_VERSION } from '../../local-cluster/index.ts';
import { SPARK_VERSION } from '../jvm.ts';
import { plainRelease } from '../impersonal.ts';
import { machineFacts } from '../machine.ts';
import type { BenchMachine } from './figures.ts';

/** Describes this machine, and what runs on it. */
export function benchMachine(): BenchMachine {
  const { processor, cores, node } = machineFacts();
  return {
    processor, cores, memory: totalmem(), kernel: `${system()} ${plainRelease(release())}`, node,
    kubernetes: KUBERNETES_VERSION, etcd: moduleVersion('controlplane', 'go.etcd.io/etcd/server/v3'), kwok: moduleVersion('kwok', 'sigs.k8s.io/kwok'), spark: SPARK_VERSION,
  };
}

/** The version of a Go module that a program of the local cluster is made of. */
function moduleVersion(program: string, module: string): string {
  const modules = readFileSync(new URL(`../../local-cluster/${program}/go.mod`, import.meta.url), 'utf8');
  return modules.split('\n').map((line) => line.trim().replace(/^require /, '').split(' ')).find(([name]) => name === module)?.[1] ?? 'unknown';
}
