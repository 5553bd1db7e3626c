/*
 * Any two fields: what each of them says is in what is created, or a warning or the refusal names
 * it. Nothing is lost without a word.
 */
import { CONTEXT } from './application';
import { merged } from './merged';
import { becomesProperty } from '../helpers/property-fields';
import { WRITTEN_FIELDS, type WrittenField } from './written-fields';
import { SubmissionError } from '../../src/plan/errors';
import { SPARK_APPLICATION } from '../../src/api/spark-application';
import { schemaOfKind } from '../../src/rules/schemas';
import { planNative } from '../../src/plan/plan';
import { prepareSubmission } from '../../src/plan/prepare';
import type { SubmittedApplication } from '../../src/plan/properties/properties';
import { problemText } from '../../src/model/problem';

const BASE = {
  metadata: { name: 'pi', namespace: 'jobs', uid: 'uid' },
  spec: { type: 'Python', sparkVersion: '4.1.1', image: 'spark', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} },
};

interface Outcome {
  /** All numbers in the created objects; undefined for an application that is refused. */
  readonly created?: ReadonlySet<string>;
  /** The warnings, or the reason of the refusal. */
  readonly said: string;
}

/** Returns what remains of fields in the created objects, and the warnings. */
function outcomeOf(parts: readonly object[]): Outcome {
  const application = parts.reduce(merged, BASE) as unknown as SubmittedApplication;
  try {
    const plan = planNative(prepareSubmission(application, CONTEXT));
    return { created: new Set(JSON.stringify([plan.driver, plan.resources]).match(/\d+/g)), said: plan.warnings.map(problemText).join('\n') };
  } catch (error) {
    if (!SubmissionError.is(error)) throw error;
    return { said: error.message };
  }
}

/** A field is lost if neither its value nor its name is anywhere. A refusal loses nothing. */
function isLost({ field }: WrittenField, mark: number, { created, said }: Outcome): boolean {
  return created !== undefined && !hasMark(mark, created) && !said.includes(field);
}

function hasMark(mark: number, numbers: ReadonlySet<string>): boolean {
  return numbers.has(`${mark}`) || numbers.has(`9${mark}`);
}

const MARKS = WRITTEN_FIELDS.map((_, index) => 2001 + index);

test.each(WRITTEN_FIELDS.map((field, index) => [`${index} ${field.field}`, index] as const))('%s is in what is created', (_, index) => {
  const outcome = outcomeOf([WRITTEN_FIELDS[index]!.part(MARKS[index]!)]);
  expect({ refused: outcome.created === undefined && outcome.said, lost: isLost(WRITTEN_FIELDS[index]!, MARKS[index]!, outcome) }).toEqual({ refused: false, lost: false });
});

/** Whether an application with all of these fields is accepted and has the value of each. */
function haveEffectTogether(fields: readonly number[]): boolean {
  const { created } = outcomeOf(fields.map((index) => WRITTEN_FIELDS[index]!.part(MARKS[index]!)));
  return created !== undefined && fields.every((index) => hasMark(MARKS[index]!, created));
}

/**
 * Yields the pairs of two lists that have to be tried alone: the others have their effect together
 * with many more fields.
 */
function* conspicuousPairs(some: readonly number[], others: readonly number[]): Generator<readonly [number, number]> {
  if (some.length === 0 || others.length === 0) return;
  if (some.length === 1 && others.length === 1) return yield [some[0]!, others[0]!];
  if (haveEffectTogether([...some, ...others])) return;
  const [shorter, longer] = some.length < others.length ? [some, others] : [others, some];
  for (const half of halvesOf(longer)) yield* conspicuousPairs(shorter, half);
}

/** The same for the pairs within a list. A field that has no effect even alone is tried beside each other one. */
function* conspicuousPairsIn(fields: readonly number[]): Generator<readonly [number, number]> {
  const inert = fields.filter((index) => !haveEffectTogether([index]));
  const others = fields.filter((index) => !inert.includes(index));
  for (const [position, index] of inert.entries()) {
    for (const other of [...inert.slice(position + 1), ...others]) yield [index, other];
  }
  yield* conspicuousPairsWithin(others);
}

function* conspicuousPairsWithin(fields: readonly number[]): Generator<readonly [number, number]> {
  if (fields.length < 2 || haveEffectTogether(fields)) return;
  const [first, second] = halvesOf(fields);
  yield* conspicuousPairsWithin(first);
  yield* conspicuousPairsWithin(second);
  yield* conspicuousPairs(first, second);
}

function halvesOf(list: readonly number[]): readonly [readonly number[], readonly number[]] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}

test('no two fields fight silently', () => {
  const silent: string[] = [];
  let tried = 0;
  for (const [i, j] of conspicuousPairsIn(WRITTEN_FIELDS.map((_, index) => index))) {
    const [first, second] = [WRITTEN_FIELDS[i]!, WRITTEN_FIELDS[j]!];
    if (sameField(first, second)) continue;
    tried++;
    const outcome = outcomeOf([first.part(MARKS[i]!), second.part(MARKS[j]!)]);
    for (const [field, mark] of [[first, MARKS[i]!], [second, MARKS[j]!]] as const) {
      if (isLost(field, mark, outcome)) silent.push(`${field.field} beside ${(field === first ? second : first).field}${outcome.said ? `: ${outcome.said.slice(0, 200)}` : ''}`);
    }
  }
  expect([...new Set(silent)].sort()).toEqual([]);
  // Fields that say the same in two places are among them.
  expect(tried).toBeGreaterThan(100);
}, 240_000);

/** Where two say the same thing in the same place, there is only one of them in the application. */
function sameField(first: WrittenField, second: WrittenField): boolean {
  return first.field === second.field;
}

/**
 * Fields whose values are not unique in the created objects, or leave no trace there; other tests
 * cover their effect.
 */
const UNMARKED: readonly string[] = [
  // words of which there are few: properties.test.ts, test/operator/pods
  'type', 'sparkVersion', 'mode', 'imagePullPolicy', 'pythonVersion', 'mainClass', 'mainApplicationFile',
  'executor.deleteOnTermination', 'driver.hostNetwork', 'driver.shareProcessNamespace', 'executor.hostNetwork', 'executor.shareProcessNamespace',
  // a volume is there if it is mounted
  'volumes',
  // when and how often it runs, and what is around it
  'suspend', 'activeDeadlineSeconds', 'restartPolicy', 'failureRetries', 'retryInterval', 'timeToLiveSeconds', 'batchSchedulerOptions', 'sparkUIOptions', 'driverIngressOptions', 'driverPodDisruptionBudget',
];

test('no field of the CRD is forgotten here', () => {
  const { properties } = schemaOfKind(SPARK_APPLICATION).properties!.spec!;
  const all = Object.entries(properties!).flatMap(([name, { properties: inner }]) => (
    name === 'driver' || name === 'executor' ? Object.keys(inner!).map((field) => `${name}.${field}`) : [name]
  ));
  const forgotten = all.filter((field) => !UNMARKED.includes(field) && !becomesProperty(field) && !WRITTEN_FIELDS.some((written) => new RegExp(`^spec\\.${field}([.[]|$)`).test(written.field)));

  // Remedy: a value in WRITTEN_FIELDS of written-fields.ts, or, if no value of the field is unique, its name in UNMARKED above and a test of its effect.
  expect(forgotten).toEqual([]);
  expect(UNMARKED.filter((field) => !all.includes(field))).toEqual([]);
});
