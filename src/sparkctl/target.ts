import { unknown } from './errors';
import { UsageError } from '../text/usage-error';
import type { KubeObject, Ref } from '../kube/objects';
import type { Resource } from '../kube/resource';
import { objectNameIn } from '../flags/values';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS, SPARK_CONNECTS } from '../model/resources';

/** The kinds that commands are about. */
export const KINDS = { application: SPARK_APPLICATIONS, schedule: SCHEDULED_SPARK_APPLICATIONS, connect: SPARK_CONNECTS } as const;

export type KindName = keyof typeof KINDS;

/** What they may be called, besides their names in the API. */
const ALIASES: Readonly<Record<string, KindName>> = {
  sparkapplication: 'application', sparkapplications: 'application', sparkapp: 'application', application: 'application', applications: 'application', app: 'application', apps: 'application',
  scheduledsparkapplication: 'schedule', scheduledsparkapplications: 'schedule', scheduledsparkapp: 'schedule', schedule: 'schedule', schedules: 'schedule',
  sparkconnect: 'connect', sparkconnects: 'connect', sparkconn: 'connect', connect: 'connect', connects: 'connect',
};

/** An object that a command line names. */
export interface Target {
  readonly kind: KindName;
  readonly resource: Resource<KubeObject>;
  readonly ref: Ref & { readonly namespace: string };
}

/**
 * The kind that a word of the command line stands for.
 *
 * @throws {UsageError} if there is none
 */
export function kindOf(word: string): KindName {
  const kind = ALIASES[word.toLowerCase().replace(/\..*$/, '')];
  if (!kind) throw unknown('kind', word, Object.keys(ALIASES));
  return kind;
}

/**
 * Reads `NAME` or `KIND/NAME`.
 *
 * @param allowed the kinds that the command is about; the first is meant if none is written
 * @throws {UsageError} if it is none of them, or has no name, or one that no object can have
 */
export function targetOf(word: string, namespace: string, allowed: readonly [KindName, ...KindName[]]): Target {
  const slash = word.indexOf('/');
  const kind = slash < 0 ? allowed[0] : kindOf(word.slice(0, slash));
  const name = word.slice(slash + 1);
  if (!allowed.includes(kind)) throw new UsageError(`${word}: this command is about ${allowed.map((each) => `${each}s`).join(' and ')}`);
  if (name === '') throw new UsageError(`${word || 'an empty word'} has no name; write ${slash < 0 ? '' : `${kind}/`}NAME`);
  if (objectNameIn(name) === undefined) throw new UsageError(`${word}: ${name} cannot be the name of a ${KINDS[kind].kind}; names are of lower case letters, digits, - and .`);
  return { kind, resource: KINDS[kind], ref: { namespace, name } };
}

/**
 * The one object that a command is about.
 *
 * @throws {UsageError} if there is none, or several
 */
export function onlyTarget(words: readonly string[], namespace: string, allowed: readonly [KindName, ...KindName[]]): Target {
  const [word, ...others] = words;
  if (word === undefined) throw new UsageError('there is no NAME; `sparkctl list` says what there is');
  if (others.length > 0) throw new UsageError(`it is about one NAME, and there are ${words.length}`);
  return targetOf(word, namespace, allowed);
}
