import { ApiClient } from '../api-client.ts';
import { application, APPLICATION_LABEL, createAll, createAtRate, createNode, newNames, watchDrivers } from '../applications.ts';
import type { Context } from '../context.ts';
import { spreadOf, type Figures } from '../figures.ts';
import { measureLoad } from '../load.ts';
import { Timeline } from '../timeline.ts';

const [FLOOD, QUIET] = ['bench-flood', 'bench-quiet'];
export const NAMESPACES = [FLOOD, QUIET];

const SIZES = {
  full: { applications: 10_000, huge: 150, aloneSeconds: 30 },
  quick: { applications: 1_000, huge: 15, aloneSeconds: 10 },
} as const;

/** Calls of each namespace at the same time. */
const CALLS = 8;
/** Applications a second of the quiet namespace. */
const PER_SECOND = 2;
/** Applications before the measurement: code is compiled by then. */
const WARM_UP = 50;
/** Seconds for one application of the flood, on a slow machine, and for the last drivers of the quiet namespace. */
const [SECONDS_EACH, PATIENCE] = [0.15, 60];
/** Length of a value of a huge application: the CRD bounds lists and maps. */
const LENGTH = 104_000;
/** Numbers of such values: 1.3 MiB, nearly the limit of etcd, which the operator rejects; and 0.2 MiB, which it runs. */
const VALUES = { rejected: 13, run: 2 } as const;

/** A quiet namespace beside one that creates thousands of applications, some of them huge. */
export async function neighbours(context: Context): Promise<Figures['neighbours']> {
  const { applications, huge, aloneSeconds } = SIZES[context.task.quick ? 'quick' : 'full'];
  const seconds = 300 + applications * SECONDS_EACH;
  await createNode(context);
  const operator = await context.startOperator(NAMESPACES);
  const [flooding, quiet] = [new ApiClient(context.installation.admin, CALLS), new ApiClient(context.installation.admin, CALLS)];

  const quietNames = newNames('quiet', 0, WARM_UP + Math.ceil(PER_SECOND * (aloneSeconds + 2 * seconds)));
  const floodNames = newNames('flood', 0, applications);
  const [quietly, flood] = [new Timeline(quietNames), new Timeline(floodNames)];
  await watchDrivers(context, ({ metadata: { labels } }, at) => {
    for (const timeline of [quietly, flood]) timeline.driver(labels[APPLICATION_LABEL], 'Pending', at);
  });
  const bodies = quietNames.map((name) => application({ namespace: QUIET, name }));
  const allHaveDrivers = () => context.until(
    operator, () => quietly.count('driver') === quietly.count('created'), PATIENCE, () => quietly.describe(),
  );

  context.progress(`warming up with ${WARM_UP} applications`);
  await createAll(quiet, bodies.splice(0, WARM_UP), quietly);
  await allHaveDrivers();
  await operator.idle();

  context.progress(`one namespace alone, ${PER_SECOND} applications a second for ${aloneSeconds} s`);
  const began = performance.now();
  await createAtRate(context, quiet, bodies.splice(0, aloneSeconds * PER_SECOND), PER_SECOND, quietly);
  const aloneUntil = performance.now();

  context.progress(`another one creates ${applications} applications, ${huge} of them huge`);
  const stop = new AbortController();
  const rejected = floodNames.filter((_, index) => outcomeOf(index, huge / applications) === 'rejected').length;
  const [{ created, done }, load] = await measureLoad(context, operator, 'flood', async () => {
    const beside = createAtRate(context, quiet, bodies, PER_SECOND, quietly, stop.signal);
    await createAll(flooding, floodNames.map((name, index) => floodApplication(name, outcomeOf(index, huge / applications))), flood);
    const createdAt = performance.now();
    context.progress(`  all are created, ${flood.count('driver')} have a driver`);
    await context.until(operator, () => flood.count('driver') >= applications - rejected, seconds, () => flood.describe());
    const doneAt = performance.now();
    stop.abort();
    await beside;
    await allHaveDrivers();
    return { created: createdAt, done: doneAt };
  }).finally(() => stop.abort());
  return {
    flood: {
      applications, huge, hugeBytes: Buffer.byteLength(JSON.stringify(floodApplication(floodNames[0]!, 'rejected'))),
      createdAfter: created - aloneUntil, doneAfter: done - aloneUntil,
    },
    alone: spreadOf(quietly.between('created', 'driver', [began, aloneUntil])),
    beside: spreadOf(quietly.between('created', 'driver', [aloneUntil, done])),
    peakMemory: load.memory.peak,
    busy: load.busy,
  };
}

/** Spreads huge applications evenly over the others; the operator runs every second one. */
export function outcomeOf(index: number, share: number): keyof typeof VALUES | undefined {
  const [before, after] = [index, index + 1].map((count) => Math.floor(count * share + 1e-9)) as [number, number];
  if (after === before) return undefined;
  return after % 2 === 0 ? 'run' : 'rejected';
}

function floodApplication(name: string, outcome: keyof typeof VALUES | undefined): object {
  const body = application({ namespace: FLOOD, name });
  const values = outcome ? VALUES[outcome] : 0;
  for (let index = 0; index < values; index++) body.spec.sparkConf[`spark.bench.long.${index}`] = 'x'.repeat(LENGTH);
  return body;
}
