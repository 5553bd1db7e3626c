import { unknown } from './errors';
import { UsageError } from '../text/usage-error';
import type { KubeObject, Ref } from '../kube/objects';
import type { Resource } from '../kube/resource';
import { objectNameIn } from '../flags/values';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS, SPARK_CONNECTS } from '../model/resources';

/** Resources that commands work on, by name. */
export const KINDS = { application: SPARK_APPLICATIONS, schedule: SCHEDULED_SPARK_APPLICATIONS, connect: SPARK_CONNECTS } as const;

export type KindName = keyof typeof KINDS;

/** Names of the kinds on the command line. */
const ALIASES: Readonly<Record<string, KindName>> = {
  sparkapplication: 'application', sparkapplications: 'application', sparkapp: 'application', application: 'application',
  applications: 'application', app: 'application', apps: 'application',
  scheduledsparkapplication: 'schedule', scheduledsparkapplications: 'schedule', scheduledsparkapp: 'schedule',
  schedule: 'schedule', schedules: 'schedule',
  sparkconnect: 'connect', sparkconnects: 'connect', sparkconn: 'connect', connect: 'connect', connects: 'connect',
};

/** Object with the field of applications and schedules. */
export type Suspendable = KubeObject & { readonly spec?: { readonly suspend?: boolean } };

/** Object that a command line names. */
export interface Target {
  readonly kind: KindName;
  readonly resource: Resource<KubeObject>;
  readonly ref: Ref & { readonly namespace: string };
}

/**
 * Returns the kind that a word of the command line names.
 *
 * @param choices names of kinds that the command accepts, for the message
 * @throws {UsageError} if there is none
 */
export function kindOf(word: string, choices: readonly string[] = Object.keys(KINDS)): KindName {
  const kind = ALIASES[word.toLowerCase().replace(/\..*$/, '')];
  if (!kind) throw unknown('kind', word, Object.keys(ALIASES), choices);
  return kind;
}

/**
 * Reads `NAME` or `KIND/NAME`.
 *
 * @param allowed the kinds that the command accepts; the first is the default
 * @throws {UsageError} if the kind is none of them, or the name is missing or invalid
 */
export function targetOf(word: string, namespace: string, allowed: readonly [KindName, ...KindName[]]): Target {
  const slash = word.indexOf('/');
  const kind = slash < 0 ? allowed[0] : kindOf(word.slice(0, slash), allowed);
  const name = word.slice(slash + 1);
  if (!allowed.includes(kind)) throw new UsageError(`${word}: this command works on ${allowed.map((each) => `${each}s`).join(' and ')}`);
  if (name === '') throw new UsageError(`${word || 'an empty word'} has no name; write ${slash < 0 ? '' : `${kind}/`}NAME`);
  if (objectNameIn(name) === undefined) {
    throw new UsageError(
      `${word}: ${name} is not a valid name of a ${KINDS[kind].kind}; names consist of lower case letters, digits, - and .`,
    );
  }
  return { kind, resource: KINDS[kind], ref: { namespace, name } };
}

/**
 * Returns the only object that a command line names.
 *
 * @throws {UsageError} if there is none, or several
 */
export function onlyTarget(words: readonly string[], namespace: string, allowed: readonly [KindName, ...KindName[]]): Target {
  const [word, ...others] = words;
  if (word === undefined) throw new UsageError(`NAME is missing; \`sparkctl list${allowed[0] === 'application' ? '' : ` ${allowed[0]}s`}\` lists existing ones`);
  if (others.length > 0) throw new UsageError(`the command takes one NAME, not ${words.length}`);
  return targetOf(word, namespace, allowed);
}
