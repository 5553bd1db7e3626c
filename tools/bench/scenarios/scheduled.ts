import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient, inParallel, MERGE_PATCH } from '../api-client.ts';
import { application, applicationsPath, createNode, newNames } from '../applications.ts';
import type { Context } from '../context.ts';
import { spreadOf, type Figures } from '../figures.ts';
import { measureLoad } from '../load.ts';

const NAMESPACE = 'bench-cron';
export const NAMESPACES = [NAMESPACE];

const MINUTE = 60_000;
/** Milliseconds for the edit of one schedule, and before the minute, in which the operator is to be idle. */
const [EDIT, CALM] = [5, 10_000];
/** Seconds after which the missing runs are given up. */
const PATIENCE = 180;
const CREATORS = 8;

/** Many schedules that are due at the same minute. */
export async function scheduled(context: Context): Promise<Figures['scheduled']> {
  const names = newNames('cron', 0, context.task.quick ? 200 : 2000);
  const client = new ApiClient(context.installation.admin, CREATORS);
  const path = applicationsPath(NAMESPACE, 'scheduledsparkapplications');
  await createNode(context);
  const operator = await context.startOperator([NAMESPACE]);
  const runs = new Map<string, number>();

  context.progress(`creating ${names.length} schedules`);
  // An hour ahead, so that none is due before all exist.
  const later = new Date(Date.now() + 60 * MINUTE);
  await inParallel(names, CREATORS, async (name) => void await client.json('POST', path, schedule(name, cronOf(later))));
  await operator.idle(60);
  const due = Math.ceil((Date.now() + names.length * EDIT + CALM) / MINUTE) * MINUTE;
  context.progress(`all of them are due at ${new Date(due).toISOString()}`);
  const patch = { spec: { schedule: cronOf(new Date(due)) } };
  await inParallel(names, CREATORS, async (name) => void await client.json('PATCH', `${path}/${name}`, patch, MERGE_PATCH));
  await operator.idle(60);
  if (Date.now() > due - 1_000) throw new Error(`the ${names.length} schedules were not ready in time: the machine is too slow, or busy`);
  await context.watch({
    path: applicationsPath(NAMESPACE),
    onChange: ({ type, object, at }) => void (type === 'ADDED' && runs.set(object.metadata.name, performance.timeOrigin + at - due)),
  });
  await sleep(Math.max(0, due - 500 - Date.now()));
  await measureLoad(context, operator, 'minute', () => context.until(
    operator, () => runs.size >= names.length, PATIENCE, () => `${runs.size} of ${names.length} schedules have a run`,
  ));
  return { schedules: names.length, lag: spreadOf([...runs.values()]) };
}

/** Returns a schedule for that minute of each year. */
function cronOf(time: Date): string {
  return `${time.getUTCMinutes()} ${time.getUTCHours()} ${time.getUTCDate()} ${time.getUTCMonth() + 1} *`;
}

function schedule(name: string, cron: string): object {
  const { apiVersion, metadata, spec } = application({ namespace: NAMESPACE, name });
  return { apiVersion, kind: 'ScheduledSparkApplication', metadata, spec: { schedule: cron, timeZone: 'UTC', template: spec } };
}
