import fc from 'fast-check';
import { SparkApplicationType } from '../../src/api/spark-application';
import { SubmissionError } from '../../src/plan/errors';
import { planNative } from '../../src/plan/plan';
import { prepareSubmission } from '../../src/plan/prepare';
import type { PreparedSubmission } from '../../src/plan/prepare';
import type { SubmittedApplication } from '../../src/plan/properties/properties';
import { SUBMITTING_USER } from '../../tools/real-spark/line-jvm';
import { MASTER } from '../../tools/real-spark/spark-submit';
import { REAL_SPARK_VERSIONS } from '../../tools/real-spark/versions';
import type { RealSparkVersion } from '../../tools/real-spark/versions';
import { compare } from './comparison/compare';
import { DEVIATIONS } from './comparison/deviations';
import { isServiceNameLong } from './comparison/identifiers';
import { submitNatively } from './comparison/native';
import type { NativeAnswer } from './comparison/native';
import { planDeviations } from './comparison/plan-deviations';
import { submittedNatively } from './comparison/submitted';
import { Coverage } from './coverage';
import { FULL, SEED, announceSeed } from './extent';
import { FIELDS, application, fieldsOf, isPlain } from './generate/applications';
import { realSpark } from './real-spark';
import { failure } from './report';
import { submission } from './submit-case';
import type { SubmitCase } from './submit-case';

/*
 * Whole SparkApplications: compares spark-submit, with the properties and pod templates that the operator writes, with native submission.
 * For drivers that need nothing that Spark has no property for, it also compares the operator's whole plan.
 */

/** How many applications are generated for each version. */
const GENERATED: Readonly<Record<RealSparkVersion, number>> = FULL
  ? { '3.5.8': 40, '4.0.2': 40, '4.1.1': 200, '4.3.0': 60 }
  : { '3.5.8': 2, '4.0.2': 2, '4.1.1': 6, '4.3.0': 3 };

/** An application that each sample must contain, whatever is generated. */
const EXAMPLE: SubmittedApplication = {
  metadata: { name: 'with-a-template', namespace: 'jobs', uid: '7d1c3f0a-52b8-4b1e-9c1a-1f0d6f3f7a11' },
  spec: {
    type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///app.py', image: 'apache/spark:x',
    driver: { template: { metadata: { labels: { tier: 'batch' } } } }, executor: {},
  },
};

const CONTEXT = { attempt: 1, submissionID: '2c9b7c0e-9d0b-4f0e-8a57-3c1be2a4f6d2', submitTime: new Date(1_766_000_000_000), sparkUser: SUBMITTING_USER };

const fields = new Coverage('fields of applications that were submitted', FIELDS);
const plans = new Coverage('deviations of the operator\'s plan', [...planDeviations({ namespace: '', uid: '' }), ...DEVIATIONS].map(({ what }) => what));
const outcomes = new Coverage('applications', ['submitted by both', 'of these, the whole plan', 'refused by the operator', 'left to spark-submit']);

jest.setTimeout(30 * 60_000);
announceSeed();

/** Returns the operator's input for spark-submit; undefined if it refuses. */
function prepare(given: SubmittedApplication): PreparedSubmission | undefined {
  try {
    const prepared = prepareSubmission(given, CONTEXT);
    planNative(prepared);
    // The server that records, in place of the API server.
    prepared.properties.set('spark.master', `k8s://${MASTER}`, 'test');
    return prepared;
  } catch (error) {
    if (!SubmissionError.is(error)) throw error;
    return undefined;
  }
}

function caseOf({ properties, application: run, driverTemplate, executorTemplate }: PreparedSubmission): SubmitCase {
  const { 'spark.master': _, ...others } = Object.fromEntries(properties.entries());
  return {
    properties: others,
    application: run,
    ...(driverTemplate === undefined ? {} : { driverTemplate: JSON.stringify(driverTemplate) }),
    executorTemplate: JSON.stringify(executorTemplate),
  };
}

/** The operator's whole plan, as an answer to be compared. */
function planned(prepared: PreparedSubmission): NativeAnswer {
  const { identity } = prepared;
  return {
    submitted: submittedNatively(planNative(prepared)),
    identifiers: { ...identity, serviceName: isServiceNameLong(prepared.metadata.name) ? identity.serviceName : undefined, submitTime: String(CONTEXT.submitTime.getTime()) },
  };
}

const silently = { rule: () => {}, deviation: () => {} };

describe.each(REAL_SPARK_VERSIONS)('Spark %s', (version) => {
  const spark = realSpark(version);
  afterAll(() => spark.stop());

  test(`${GENERATED[version]} applications`, async () => {
    await fc.assert(fc.asyncProperty(application(version), async (given) => {
      const prepared = prepare(given);
      if (prepared === undefined) return outcomes.note('refused by the operator');
      const told = caseOf(prepared);
      const native = submitNatively(told, version);
      if (native.leftToSparkSubmit !== undefined) return outcomes.note('left to spark-submit');

      const answer = await spark.submit(submission(told));
      const { differences } = compare(told, answer, native, silently);
      if (differences.length > 0) throw new Error(failure(told, version, differences));
      outcomes.note('submitted by both');
      for (const field of fieldsOf(given)) fields.note(field);

      if (!isPlain(given)) return undefined;
      const known = [...planDeviations(prepared.metadata), ...DEVIATIONS];
      const whole = compare(told, answer, planned(prepared), { ...silently, deviation: (what) => plans.note(what) }, known);
      if (whole.differences.length > 0) throw new Error(failure(told, version, whole.differences));
      return outcomes.note('of these, the whole plan');
    }), { seed: SEED + REAL_SPARK_VERSIONS.indexOf(version), numRuns: GENERATED[version], examples: version === EXAMPLE.spec.sparkVersion ? [[EXAMPLE]] : [] });
  });
});

test('each deviation of the plan was met', () => {
  process.stderr.write(`${[outcomes, plans, ...(FULL ? [fields] : [])].map((coverage) => coverage.table()).join('\n')}\n`);
  expect(plans.missing()).toEqual([]);
});

if (FULL) test('each field was submitted', () => expect(fields.missing()).toEqual([]));
