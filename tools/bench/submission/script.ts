import { randomBytes } from 'node:crypto';
import type { CreatedApplication } from '../applications.ts';
import type { Calls } from '../figures.ts';
import type { RecordedCall } from './recorder.ts';

/**
 * The calls of one submission, to be repeated for other applications: byte for byte as the operator sent them,
 * with other names, uids and versions. Ids that occur only in values are left as recorded.
 */
export interface Script {
  /** One after the other; the calls of a step at the same time. */
  readonly steps: readonly (readonly ScriptCall[])[];
  /** Events, which writers of their own send after the rest. */
  readonly behind: readonly ScriptCall[];
  /** Slots of ids in names of objects, with their lengths. */
  readonly ids: readonly { readonly slot: number; readonly length: number }[];
  /** Number of slots. */
  readonly slots: number;
}

export interface ScriptCall {
  readonly method: string;
  readonly path: Template;
  readonly contentType?: string;
  readonly body?: Template;
  /** Slots for the uid and the resource version of the answer. @default - no later call needs it */
  readonly uidSlot?: number;
  readonly versionSlot?: number;
}

/** Text with slots: a number is the slot whose value goes there. */
export type Template = readonly (string | number)[];

/** Values of the slots for one application. */
export type Values = string[];

const [NAME, NAMESPACE, UID, VERSION, FIRST_FREE] = [0, 1, 2, 3, 4] as const;

/** Hashes and counters in names of objects; in hexadecimal digits. */
const ID_IN_NAME = /[0-9a-f]{16,}/g;

/** Makes a script of the calls that were recorded for one application. */
export function scriptOf(calls: readonly RecordedCall[], application: CreatedApplication): Script {
  const refused = calls.find(({ status }) => status > 299);
  if (refused) {
    const { method, path, status, answer } = refused;
    throw new Error(`the recorded submission failed: ${method} ${path} was answered ${status} ${answer.slice(0, 300)}`);
  }
  const tokens = new Map<string, number>([
    [application.name, NAME], [application.namespace, NAMESPACE], [application.uid, UID],
    [versionText(application.resourceVersion), VERSION],
  ]);
  let next: number = FIRST_FREE;
  const slotOf = (token: string) => {
    if (!tokens.has(token)) tokens.set(token, next++);
    return tokens.get(token)!;
  };
  const answers = calls.map(({ answer }): { uid?: string; resourceVersion?: string } => JSON.parse(answer).metadata ?? {});
  const uidSlots = answers.map(({ uid }) => (uid ? slotOf(uid) : undefined));
  const versionSlots = answers.map(({ resourceVersion }) => (resourceVersion ? slotOf(versionText(resourceVersion)) : undefined));
  const names = calls.flatMap(({ method, body }) => (method === 'POST' && body ? [(JSON.parse(body).metadata?.name as string) ?? ''] : []));
  const ids = [...new Set(names.flatMap((name) => name.match(ID_IN_NAME) ?? []))].filter((id) => !tokens.has(id))
    .map((id) => ({ slot: slotOf(id), length: id.length }));

  const templates = calls.map(({ path, body }) => ({ path: templateOf(path, tokens), body: body ? templateOf(body, tokens) : undefined }));
  const used = new Set(templates.flatMap(({ path, body = [] }) => [...path, ...body]));
  const kept = (slot: number | undefined) => (slot !== undefined && slot >= FIRST_FREE && used.has(slot) ? slot : undefined);
  const scripted = calls.map(({ method, contentType }, index): ScriptCall => (
    { method, contentType, ...templates[index]!, uidSlot: kept(uidSlots[index]), versionSlot: kept(versionSlots[index]) }
  ));
  const isEvent = (index: number) => /\/events(\?|\/|$)/.test(calls[index]!.path);
  const order = calls.map((_, index) => index);
  return {
    steps: stepsOf(order.filter((index) => !isEvent(index)), calls).map((step) => step.map((index) => scripted[index]!)),
    behind: order.filter(isEvent).map((index) => scripted[index]!),
    ids,
    slots: next,
  };
}

/** A call that began before any other of its step had ended did not wait for an answer. */
function stepsOf(order: readonly number[], calls: readonly RecordedCall[]): number[][] {
  const steps: number[][] = [];
  let firstEnd = -Infinity;
  for (const index of order) {
    const { began, ended } = calls[index]!;
    if (began < firstEnd) {
      steps.at(-1)!.push(index);
      firstEnd = Math.min(firstEnd, ended);
    } else {
      steps.push([index]);
      firstEnd = ended;
    }
  }
  return steps;
}

/** Numbers alone occur too often. */
function versionText(resourceVersion: string): string {
  return `"resourceVersion":"${resourceVersion}"`;
}

function templateOf(text: string, tokens: ReadonlyMap<string, number>): Template {
  const longestFirst = [...tokens.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(${longestFirst.map((token) => token.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`);
  return text.split(pattern).flatMap((part, index): Template => (index % 2 === 1 ? [tokens.get(part)!] : part === '' ? [] : [part]));
}

/** Counts the calls of a script, such as `POST pods`. */
export function scriptedCalls({ steps, behind }: Script): Calls {
  const counts: Record<string, number> = {};
  for (const { method, path } of [...steps.flat(), ...behind]) {
    const text = path.map((part) => (typeof part === 'string' ? part : 'x')).join('').split('?', 1)[0]!;
    const [, resource, , subresource] = /\/namespaces\/[^/]+\/(\w+)(\/[^/]+)?(?:\/(\w+))?$/.exec(text) ?? [];
    const call = `${method} ${resource}${subresource ? `/${subresource}` : ''}`;
    counts[call] = (counts[call] ?? 0) + 1;
  }
  return counts;
}

/** Returns the values of the slots for an application before the first call. */
export function valuesFor({ ids, slots }: Script, { namespace, name, uid, resourceVersion }: CreatedApplication): Values {
  const values: Values = new Array<string>(slots).fill('');
  values[NAME] = name;
  values[NAMESPACE] = namespace;
  values[UID] = uid;
  values[VERSION] = versionText(resourceVersion);
  for (const { slot, length } of ids) values[slot] = randomBytes(Math.ceil(length / 2)).toString('hex').slice(0, length);
  return values;
}

/** Keeps the uid and the version of an answer that later calls need. */
export function keepAnswer({ uidSlot, versionSlot }: ScriptCall, text: string, values: Values): void {
  if (uidSlot === undefined && versionSlot === undefined) return;
  const { metadata } = JSON.parse(text);
  if (uidSlot !== undefined) values[uidSlot] = metadata.uid;
  if (versionSlot !== undefined) values[versionSlot] = versionText(metadata.resourceVersion);
}

export function fill(template: Template, values: Values): string {
  return template.map((part) => (typeof part === 'string' ? part : values[part])).join('');
}
