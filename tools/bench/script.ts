import { randomBytes, randomUUID } from 'node:crypto';
import type { CreatedApplication } from './application.ts';
import type { RecordedCall } from './recorder.ts';

/**
 * The calls of one submission, to be made again for other applications: what the operator was seen to send, byte for byte,
 * with other names and ids in the places of those that were seen.
 */
export interface Script {
  /** One after the other; the calls of a step at the same time. */
  readonly steps: readonly (readonly ScriptCall[])[];
  /** Made behind the others, by writers of their own: events. */
  readonly behind: readonly ScriptCall[];
}

export interface ScriptCall {
  readonly method: string;
  readonly path: Template;
  readonly contentType?: string;
  readonly body?: Template;
  /** Where later calls find the uid and the resource version of the answer; undefined when none looks for them. */
  readonly uidSlot?: number;
  readonly versionSlot?: number;
}

/** Text with holes: a number is the slot of what goes in there. */
export type Template = readonly (string | number)[];

/** What is in the slots for one application. */
export type Values = string[];

const [NAME, NAMESPACE, UID, VERSION, FIRST_FREE] = [0, 1, 2, 3, 4] as const;

/** What the slots behind `FIRST_FREE` get: ids that are new for each application, and what is taken from answers. */
export interface Slots {
  readonly random: readonly { readonly slot: number; readonly like: string; readonly undashed?: number }[];
  readonly count: number;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** What derives from hashes and counters in names of objects; in hexadecimal digits. */
const ID_IN_NAME = /[0-9a-f]{16,}/g;

/** Makes a script of the calls that were recorded for one application. */
export function scriptOf(calls: readonly RecordedCall[], application: CreatedApplication, namespace: string): { readonly script: Script; readonly slots: Slots } {
  const refused = calls.find(({ status }) => status > 299);
  if (refused) throw new Error(`the recorded submission was hindered: ${refused.method} ${refused.path} was answered ${refused.status} ${refused.answer.slice(0, 300)}`);
  const tokens = new Map<string, number>([
    [application.name, NAME], [namespace, NAMESPACE], [application.uid, UID], [versionText(application.resourceVersion), VERSION],
  ]);
  const answers = calls.map(({ answer }) => (JSON.parse(answer) as { metadata?: { uid?: string; resourceVersion?: string } }).metadata ?? {});
  let next: number = FIRST_FREE;
  const slotOf = (token: string) => {
    if (!tokens.has(token)) tokens.set(token, next++);
    return tokens.get(token)!;
  };
  const uidSlots = answers.map(({ uid }) => (uid ? slotOf(uid) : undefined));
  const versionSlots = answers.map(({ resourceVersion }) => (resourceVersion ? slotOf(versionText(resourceVersion)) : undefined));

  const random: { slot: number; like: string; undashed?: number }[] = [];
  const bodies = calls.map(({ body }) => body).join('\n');
  for (const uuid of new Set(bodies.match(UUID))) {
    if (tokens.has(uuid)) continue;
    const undashed = uuid.replaceAll('-', '');
    random.push({ slot: slotOf(uuid), like: uuid, ...(bodies.includes(undashed) && { undashed: slotOf(undashed) }) });
  }
  const names = calls.flatMap(({ method, body }) => (method === 'POST' && body ? [(JSON.parse(body).metadata?.name as string | undefined) ?? ''] : []));
  for (const id of new Set(names.flatMap((name) => name.match(ID_IN_NAME) ?? []))) {
    if (!tokens.has(id)) random.push({ slot: slotOf(id), like: id });
  }

  const templates = calls.map(({ path, body }) => ({ path: templateOf(path, tokens), body: body ? templateOf(body, tokens) : undefined }));
  const used = new Set(templates.flatMap(({ path, body = [] }) => [...path, ...body]));
  const scripted = calls.map((call, index): ScriptCall => {
    const [uidSlot, versionSlot] = [uidSlots[index], versionSlots[index]].map((slot) => (slot !== undefined && slot >= FIRST_FREE && used.has(slot) ? slot : undefined));
    return { method: call.method, contentType: call.contentType, ...templates[index]!, uidSlot, versionSlot };
  });
  const isBehind = (index: number) => /\/events(\?|\/|$)/.test(calls[index]!.path);
  const order = calls.map((_, index) => index);
  return {
    script: {
      steps: stepsOf(order.filter((index) => !isBehind(index)), calls).map((step) => step.map((index) => scripted[index]!)),
      behind: order.filter(isBehind).map((index) => scripted[index]!),
    },
    slots: { random, count: next },
  };
}

/** What began before any other of its step had ended did not wait for an answer. */
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

/** Numbers are too common to be looked for alone. */
function versionText(resourceVersion: string): string {
  return `"resourceVersion":"${resourceVersion}"`;
}

function templateOf(text: string, tokens: ReadonlyMap<string, number>): Template {
  const longestFirst = [...tokens.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(${longestFirst.map((token) => token.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`);
  return text.split(pattern).flatMap((part, index): Template => (index % 2 === 1 ? [tokens.get(part)!] : part === '' ? [] : [part]));
}

/** How often a script makes each call: `POST pods` to number. */
export function scriptedCalls({ steps, behind }: Script): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { method, path } of [...steps.flat(), ...behind]) {
    const [, resource, , subresource] = /\/namespaces\/[^/]+\/(\w+)(\/[^/]+)?(?:\/(\w+))?$/.exec(path.map((part) => (typeof part === 'string' ? part : 'x')).join('').split('?', 1)[0]!) ?? [];
    const call = `${method} ${resource}${subresource ? `/${subresource}` : ''}`;
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  return counts;
}

/** What goes into the slots for an application, before the first call. */
export function valuesFor({ random, count }: Slots, namespace: string, { name, uid, resourceVersion }: CreatedApplication): Values {
  const values: Values = new Array<string>(count).fill('');
  values[NAME] = name;
  values[NAMESPACE] = namespace;
  values[UID] = uid;
  values[VERSION] = versionText(resourceVersion);
  for (const { slot, like, undashed } of random) {
    values[slot] = like.includes('-') ? randomUUID() : randomBytes(Math.ceil(like.length / 2)).toString('hex').slice(0, like.length);
    if (undashed !== undefined) values[undashed] = values[slot].replaceAll('-', '');
  }
  return values;
}

/** Takes what later calls need out of an answer. */
export function keepAnswer(call: ScriptCall, text: string, values: Values): void {
  if (call.uidSlot === undefined && call.versionSlot === undefined) return;
  const { metadata } = JSON.parse(text);
  if (call.uidSlot !== undefined) values[call.uidSlot] = metadata.uid;
  if (call.versionSlot !== undefined) values[call.versionSlot] = versionText(metadata.resourceVersion);
}

export function fill(template: Template, values: Values): string {
  let text = '';
  for (const part of template) text += typeof part === 'string' ? part : values[part];
  return text;
}
