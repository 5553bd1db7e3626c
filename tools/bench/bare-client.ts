/*
 * A program of its own, as its CPU time is measured, too: makes the calls of a script for each application, as many at the same time as the
 * operator has workers. Its parent sends jobs, and is told what is done.
 */
import { ApiClient, inParallel, type ApiAccess } from './api-client.ts';
import type { CreatedApplication } from './application.ts';
import { fill, keepAnswer, valuesFor, type Script, type ScriptCall, type Slots, type Values } from './script.ts';

export interface Job {
  readonly access: ApiAccess;
  readonly script: Script;
  readonly slots: Slots;
  readonly namespace: string;
  readonly applications: readonly CreatedApplication[];
  readonly workers: number;
}

export type Report =
  /** When an application was through, but for its events, in milliseconds since the epoch. The operator writes a line of its log for each. */
  | { readonly completed: number }
  /** The whole job is done. */
  | { readonly done: true };

/** As many as the operator's recorder of events has. */
const WRITERS_BEHIND = 4;
/** As many as the operator's client has. */
const SOCKETS = 64;

let client: ApiClient | undefined;

process.on('message', async (job: Job) => {
  client ??= new ApiClient(job.access, SOCKETS);
  await work(client, job);
  process.send!({ done: true } satisfies Report);
});

async function work(api: ApiClient, { script, slots, namespace, applications, workers }: Job): Promise<void> {
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

  await inParallel(applications, workers, async (application) => {
    const values = valuesFor(slots, namespace, application);
    for (const step of script.steps) await Promise.all(step.map((call) => make(call, values)));
    process.send!({ completed: Date.now() } satisfies Report);
    behind.push(...script.behind.map((call) => ({ call, values })));
    if (writers.size < WRITERS_BEHIND && behind.length > 0) {
      const writer = writeBehind().finally(() => writers.delete(writer));
      writers.add(writer);
    }
  });
  await Promise.all(writers);
}
