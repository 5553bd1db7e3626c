import { kubectl, SOON, watch } from './kubectl';

/** The kinds of which there may be objects that belong to an application. */
const KINDS = 'pods,services,configmaps,persistentvolumeclaims,networkpolicies';

/** Returns the objects in a namespace, as `kind/name`. */
export async function inventory(namespace: string): Promise<string[]> {
  return (await kubectl(['get', KINDS, '-n', namespace, '-o', 'name'])).split('\n').filter(Boolean);
}

/** Deletes all applications of a namespace, and waits until other objects are gone. */
export async function deleteApplications(namespace: string, andWaitFor: readonly string[], seconds: number): Promise<void> {
  await kubectl(['delete', 'sparkapp', '--all', '-n', namespace]);
  await kubectl(['wait', '--for=delete', ...andWaitFor, '-n', namespace, `--timeout=${seconds}s`]);
}

/** An event, as far as the tests ask for it. */
export interface Event {
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly kind: string; readonly name: string };
}

/** The events of a reason, by default about everything in a namespace. */
export async function eventsOf(namespace: string, reason: string, name?: string): Promise<Event[]> {
  const selector = [`reason=${reason}`, ...(name === undefined ? [] : [`involvedObject.name=${name}`])].join(',');
  return JSON.parse(await kubectl(['get', 'events', '-n', namespace, '--field-selector', selector, '-o', 'json'])).items;
}

/** Returns the first event with a reason of an object, once it is there: events are written beside the work that they report. */
export async function firstEventOf(namespace: string, reason: string, name: string): Promise<Event> {
  await watch(['events', '-n', namespace, `--field-selector=reason=${reason},involvedObject.name=${name}`, '-o', 'jsonpath={.metadata.name}{"\\n"}'], (line) => line || undefined, SOON);
  const [event] = await eventsOf(namespace, reason, name);
  if (!event) throw new Error(`there is no event ${reason} of ${name}`);
  return event;
}
