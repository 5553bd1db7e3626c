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

/** Returns what remains of a field in the created objects, and its warnings. */
function outcomeOf(parts: readonly object[]): { readonly created: string; readonly said: string } {
  const application = parts.reduce(merged, BASE) as unknown as SubmittedApplication;
  try {
    const plan = planNative(prepareSubmission(application, CONTEXT));
    return { created: JSON.stringify([plan.driver, plan.resources]), said: plan.warnings.map(problemText).join('\n') };
  } catch (error) {
    if (!SubmissionError.is(error)) throw error;
    return { created: '', said: error.message };
  }
}

/** A field is lost if neither its value nor its name is anywhere. A refusal loses nothing. */
function isLost({ field }: WrittenField, mark: number, { created, said }: { readonly created: string; readonly said: string }): boolean {
  return created !== '' && !new RegExp(`(?<!\\d)9?${mark}(?!\\d)`).test(created) && !said.includes(field);
}

const MARKS = WRITTEN_FIELDS.map((_, index) => 2001 + index);

test.each(WRITTEN_FIELDS.map((field, index) => [`${index} ${field.field}`, index] as const))('%s is in what is created', (_, index) => {
  const outcome = outcomeOf([WRITTEN_FIELDS[index]!.part(MARKS[index]!)]);
  expect({ refused: outcome.created === '' && outcome.said, lost: isLost(WRITTEN_FIELDS[index]!, MARKS[index]!, outcome) }).toEqual({ refused: false, lost: false });
});

test('no two fields fight silently', () => {
  const silent: string[] = [];
  WRITTEN_FIELDS.forEach((first, i) => {
    WRITTEN_FIELDS.forEach((second, j) => {
      if (i >= j || sameField(first, second)) return;
      const outcome = outcomeOf([first.part(MARKS[i]!), second.part(MARKS[j]!)]);
      for (const [field, mark] of [[first, MARKS[i]!], [second, MARKS[j]!]] as const) {
        if (isLost(field, mark, outcome)) silent.push(`${field.field} beside ${(field === first ? second : first).field}${outcome.said ? `: ${outcome.said.slice(0, 200)}` : ''}`);
      }
    });
  });
  expect([...new Set(silent)].sort()).toEqual([]);
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

  expect(forgotten).toEqual([]);
  expect(UNMARKED.filter((field) => !all.includes(field))).toEqual([]);
});
