import { execFileSync } from 'node:child_process';
import { application } from '../application.ts';

/** Bytes of a value: the CRD bounds lists and maps. */
const LENGTH = 104_000;

/** Numbers of such values. */
const VALUES = {
  /** With the rest of the object 1.3 MiB as JSON, nearly as much as etcd stores: the operator rejects it. */
  rejected: 13,
  /** 0.2 MiB, nearly as much as the operator runs. */
  run: 2,
} as const;

/** Outcomes of a huge application. */
export type Outcome = keyof typeof VALUES;

/** Marks huge applications. */
const LABEL = 'bench/huge';

/** Returns an application as large as one with an outcome can be. */
export function hugeApplication(namespace: string, name: string, outcome: Outcome): object {
  const { metadata, spec, ...rest } = application(namespace, name) as any;
  const long = Object.fromEntries(Array.from({ length: VALUES[outcome] }, (_, index) => [`spark.bench.long.${index}`, 'x'.repeat(LENGTH)]));
  const labels = { ...metadata.labels, [LABEL]: 'true' };
  return { ...rest, metadata: { ...metadata, labels }, spec: { ...spec, sparkConf: { ...spec.sparkConf, ...long } } };
}

/** Counts huge applications by state, from a table of the API server: the objects are large. */
export function statesOfHuge(namespace: string): Record<string, number> {
  const args = ['get', 'sparkapplications', '-n', namespace, '-l', LABEL, '--no-headers', '--chunk-size=0'];
  const columns = execFileSync('kubectl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const states: Record<string, number> = {};
  for (const line of columns.split('\n').filter((each) => each !== '')) {
    const state = /\b(?:FAILED|SUBMITTED|SUBMISSION_FAILED|PENDING_RERUN)\b/.exec(line)?.[0] ?? 'New';
    states[state] = (states[state] ?? 0) + 1;
  }
  return states;
}
