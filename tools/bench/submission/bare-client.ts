/*
 * A program of its own, as its CPU time is measured, too: repeats the calls of a script for each application,
 * with as many concurrent applications as the operator has workers. Its parent sends jobs; it sends `done` after each.
 */
import { ApiClient, inParallel, type ApiAccess } from '../api-client.ts';
import type { CreatedApplication } from '../applications.ts';
import { fill, keepAnswer, valuesFor, type Script, type ScriptCall, type Values } from './script.ts';

export interface Job {
  readonly access: ApiAccess;
  readonly script: Script;
  readonly applications: readonly CreatedApplication[];
}

/** The operator's defaults: concurrent applications, writers of events, connections. */
const [WORKERS, EVENT_WRITERS, SOCKETS] = [10, 4, 64];

let client: ApiClient | undefined;

process.on('message', async (job: Job) => {
  client ??= new ApiClient(job.access, SOCKETS);
  await work(client, job);
  process.send!('done');
});
// The parent ended.
process.once('disconnect', () => process.exit(1));

async function work(api: ApiClient, { script, applications }: Job): Promise<void> {
  const behind: { call: ScriptCall; values: Values }[] = [];
  const writers = new Set<Promise<void>>();

  const make = async (call: ScriptCall, values: Values) => {
    const path = fill(call.path, values);
    const { status, text } = await api.call(call.method, path, call.body && fill(call.body, values), call.contentType);
    if (status > 299) throw new Error(`the bare client's ${call.method} ${path} was answered ${status} ${text.slice(0, 300)}`);
    keepAnswer(call, text, values);
  };
  const writeBehind = async () => {
    for (let item = behind.shift(); item; item = behind.shift()) await make(item.call, item.values);
  };

  await inParallel(applications, WORKERS, async (application) => {
    const values = valuesFor(script, application);
    for (const step of script.steps) await Promise.all(step.map((call) => make(call, values)));
    behind.push(...script.behind.map((call) => ({ call, values })));
    if (writers.size < EVENT_WRITERS && behind.length > 0) {
      const writer = writeBehind().finally(() => writers.delete(writer));
      writers.add(writer);
    }
  });
  await Promise.all(writers);
}
