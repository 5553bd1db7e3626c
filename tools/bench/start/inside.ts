/*
 * Runs the applications of `npm run bench:start` in the network of their cluster. `node inside.ts TASK` reads the task as
 * JSON, logs progress to stderr, and prints runs and doubts as JSON to stdout. It ends with its parent.
 */
import { execFileSync } from 'node:child_process';
import { formatError } from '../../local-cluster/errors.ts';
import { root } from '../cluster.ts';
import { accessOf, OPERATOR_NAMESPACE, synthesize } from '../installation.ts';
import { casesOf, type Run } from './figures.ts';
import { Runs, type RunOptions } from './runs.ts';

/** The task. */
export interface StartTask extends RunOptions {
  readonly rounds: number;
  readonly operatorImage: string;
}

process.stdin.resume().once('end', () => process.exit(1));

function install({ namespace, operatorImage }: StartTask): void {
  const kubectl = (args: readonly string[], input?: string) => execFileSync('kubectl', args, { input, stdio: ['pipe', 'ignore', 'inherit'] });
  const items = synthesize(root, { image: operatorImage, jobNamespaces: [namespace], createJobNamespaces: true });
  kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  kubectl(['rollout', 'status', 'deployment/spark-operator', '-n', OPERATOR_NAMESPACE, '--timeout=120s']);
  // Afterwards: `kubectl wait` fails at once on a CRD that has no conditions yet.
  kubectl(['wait', 'crd/sparkapplications.sparkoperator.k8s.io', '--for=condition=Established', '--timeout=30s']);
}

async function main(task: StartTask): Promise<void> {
  install(task);
  const runs = new Runs(accessOf(process.env.KUBECONFIG!), task);
  const measured: Run[] = [];
  // The first round warms up: it reads images and programs from the disk, and is not counted.
  for (let round = -1; round < task.rounds; round++) {
    for (const each of casesOf(round + 1)) {
      const run = await runs.run(each);
      const { language, executors, arm } = each;
      const text = `${language}, ${executors} executors, ${arm}: ${(run.phases.completed / 1000).toFixed(1)} s, CPU ${(run.cpu / 1000).toFixed(1)} s`;
      console.error(`… ${round < 0 ? 'warming up' : `round ${round + 1} of ${task.rounds}`}: ${text}`);
      if (round >= 0) measured.push(run);
    }
  }
  runs.close();
  console.log(JSON.stringify({ runs: measured, doubts: [...runs.doubts] }));
}

await main(JSON.parse(process.argv[2]!) as StartTask).catch((error: unknown) => {
  console.error(formatError(error));
  process.exitCode = 1;
});
process.exit();
