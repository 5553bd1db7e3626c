/*
 * The program that measures a scenario in the network of its cluster, the only place from which the API server can
 * be reached. `node inside.ts TASK` reads the task as JSON, logs progress to stderr, and prints figures and doubts
 * as JSON to stdout. It ends with its parent.
 */
import { formatError } from '../local-cluster/errors.ts';
import { Context, type Task } from './context.ts';
import { finished } from './scenarios/finished.ts';
import { neighbours, NAMESPACES as NEIGHBOURS } from './scenarios/neighbours.ts';
import { paces } from './scenarios/paces.ts';
import { population, NAMESPACES as POPULATION } from './scenarios/population.ts';
import { scheduled, NAMESPACES as SCHEDULED } from './scenarios/scheduled.ts';
import { submission, NAMESPACES as SUBMISSION } from './scenarios/submission.ts';

const SCENARIOS = {
  submission: { measure: submission, namespaces: SUBMISSION },
  paces: { measure: paces, namespaces: POPULATION },
  population: { measure: population, namespaces: POPULATION },
  finished: { measure: finished, namespaces: POPULATION },
  neighbours: { measure: neighbours, namespaces: NEIGHBOURS },
  scheduled: { measure: scheduled, namespaces: SCHEDULED },
} as const;

process.stdin.resume().once('end', () => process.exit(1));

async function main(task: Task): Promise<void> {
  const { measure, namespaces } = SCENARIOS[task.scenario as keyof typeof SCENARIOS];
  const context = new Context(task, namespaces);
  try {
    const figures = await measure(context);
    console.log(JSON.stringify({ figures, doubts: context.doubts }));
  } finally {
    await context.close();
  }
}

await main(JSON.parse(process.argv[2]!) as Task).catch((error: unknown) => {
  console.error(formatError(error));
  process.exitCode = 1;
});
process.exit();
