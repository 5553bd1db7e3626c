/* Accepted applications can be submitted, and refused ones cannot. */
import fc from 'fast-check';
import { fieldViolations } from '../../../../src/plan/checks/fields';
import { application as applications } from '../../../differential/generate/applications';
import { WRONG } from '../../../differential/generate/wrong';
import { applicationFixtures } from '../../../helpers/application-fixtures';
import { application, CONTEXT } from '../../../plan/application';
import { SubmissionFailedError } from '../../../../src/operator/driver/submission-failure';
import type { SubmittedApplication } from '../../../../src/plan/properties/properties';
import type { WholeApplication } from '../../../../src/model/spark-application';
import { choose } from '../../../../src/operator/kinds/spark-application/choice';
import type { Performer } from '../../../../src/operator/kinds/spark-application/performer';
import { specViolations } from '../../../../src/plan/defaults/partial-schema';
import { sparkApplicationValidator } from '../../../../src/operator/admission/validate/spark-application';
import { fewest } from '../../../helpers/fewest';
import { creation, update, validatorOf, world } from './questions';

/** Submits an application as the operator does. Returns the message of an error, or undefined. */
function submit({ metadata, spec }: SubmittedApplication): string | undefined {
  const status = { submissionID: 'a', submissionAttempts: 1, lastSubmissionAttemptTime: '2026-01-01T00:00:00Z', driverInfo: {} };
  const submission = { ...CONTEXT, mode: 'auto', podWebhook: true };
  try {
    choose({ submission } as unknown as Performer, { metadata, spec, status } as unknown as WholeApplication);
    return undefined;
  } catch (error) {
    if (error instanceof SubmissionFailedError) return error.message;
    throw error;
  }
}

/** Returns the API server's errors about the objects of a submission. */
const isRefusedLater = ({ spec }: SubmittedApplication) => fieldViolations(spec).length > 0;

async function agrees(given: SubmittedApplication): Promise<'taken' | 'refused'> {
  const { allowed, message } = await validatorOf('SparkApplication')(creation('SparkApplication', given));
  const error = submit(given);
  if (allowed && error !== undefined) throw new Error(`is taken, but would not be submitted: ${error}`);
  if (!allowed && error === undefined && specViolations(given.spec).length === 0 && !isRefusedLater(given)) {
    throw new Error(`is refused, but would be submitted: ${message}`);
  }
  return allowed ? 'taken' : 'refused';
}

const versions = fc.constantFrom('3.5.8', '4.0.2', '4.1.1', '4.2.1', '4.3.0');

test('applications of all fields', async () => {
  const seen = { taken: 0, refused: 0 };
  await fc.assert(fc.asyncProperty(versions.chain(applications), async (given) => { seen[await agrees(given)]++; }), { numRuns: 150 });
  expect(seen.taken).toBeGreaterThanOrEqual(fewest(21));
});

test('applications with a property that is wrong, or odd', async () => {
  const seen = { taken: 0, refused: 0 };
  for (const sparkConf of WRONG) seen[await agrees(application({ spec: { sparkConf } }))]++;
  expect(seen.taken).toBeGreaterThan(40);
  expect(seen.refused).toBeGreaterThan(40);
});

test.each(applicationFixtures())('$file is accepted, even twice', async ({ manifest: { metadata, spec } }) => {
  const object = { metadata: { namespace: 'jobs', ...metadata }, spec };
  const validate = sparkApplicationValidator({ ...world(), isSelected: () => true });
  const { namespace } = object.metadata;

  const { allowed, message } = await validate(creation('SparkApplication', object, { namespace }));

  expect({ allowed, message }).toEqual({ allowed: true, message: undefined });
  expect(submit({ metadata: { ...object.metadata, uid: 'uid' }, spec })).toBe(undefined);
  expect(await validate(update('SparkApplication', object, object, { namespace }))).toEqual({ allowed: true });
});
