import { execFileSync } from 'node:child_process';
import { application } from '../application.ts';

/** Long values, as the CRD bounds lists and maps; with the rest of the object 1.3 MiB as JSON. */
const [VALUES, LENGTH] = [13, 104_000];

/** Marks huge applications. */
const LABEL = 'bench/huge';

/** An application that is nearly as large as etcd stores one. */
export function hugeApplication(namespace: string, name: string): object {
  const { metadata, spec, ...rest } = application(namespace, name) as any;
  const long = Object.fromEntries(Array.from({ length: VALUES }, (_, index) => [`spark.bench.long.${index}`, 'x'.repeat(LENGTH)]));
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
