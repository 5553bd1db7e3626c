/* What is taken is submitted, and what is refused would not be. */
import fc from 'fast-check';
import { submissionViolations } from '../../../../src/plan/checks/submission';
import { application as applications } from '../../../differential/generate/applications';
import { WRONG } from '../../../differential/generate/wrong';
import { applicationFixtures } from '../../../helpers/application-fixtures';
import { application, CONTEXT } from '../../../plan/application';
import { SubmissionError } from '../../../../src/plan/errors';
import { chooseSubmission } from '../../../../src/plan/choose';
import { planNative } from '../../../../src/plan/plan';
import { prepareSubmission } from '../../../../src/plan/prepare';
import type { SubmittedApplication } from '../../../../src/plan/properties/properties';
import { reasonsAgainstNative } from '../../../../src/plan/native/reasons-against';
import { specViolations } from '../../../../src/plan/defaults/partial-schema';
import { sparkApplicationValidator } from '../../../../src/operator/admission/validate/spark-application';
import { creation, update, validatorOf, world } from './questions';

/** What becomes of an application when it is submitted: the message of an error, or undefined. */
function submit(given: SubmittedApplication): string | undefined {
  try {
    const prepared = prepareSubmission(given, { ...CONTEXT, podWebhook: true });
    const choice = chooseSubmission({ requested: { mode: 'auto', field: '' }, runnerAvailable: false, againstNative: reasonsAgainstNative(prepared), againstSparkSubmit: [] });
    if (choice.kind === 'refused') return choice.error.message;
    planNative(prepared);
    return undefined;
  } catch (error) {
    if (SubmissionError.is(error)) return error.message;
    throw error;
  }
}

/** What the API server finds in objects that are made of what was submitted. */
const isRefusedLater = ({ spec, metadata }: SubmittedApplication) => submissionViolations(spec, metadata.namespace).length > 0;

async function agrees(given: SubmittedApplication): Promise<'taken' | 'refused'> {
  const { allowed, message } = await validatorOf('SparkApplication')(creation('SparkApplication', given));
  const error = submit(given);
  if (allowed && error !== undefined) throw new Error(`is taken, but would not be submitted: ${error}`);
  if (!allowed && error === undefined && specViolations(given.spec).length === 0 && !isRefusedLater(given)) throw new Error(`is refused, but would be submitted: ${message}`);
  return allowed ? 'taken' : 'refused';
}

const versions = fc.constantFrom('3.5.8', '4.0.2', '4.1.1', '4.2.1', '4.3.0');

test('applications of all fields', async () => {
  const seen = { taken: 0, refused: 0 };
  await fc.assert(fc.asyncProperty(versions.chain(applications), async (given) => { seen[await agrees(given)]++; }), { numRuns: 150 });
  expect(seen.taken).toBeGreaterThan(20);
});

test('applications with a property that is wrong, or odd', async () => {
  const seen = { taken: 0, refused: 0 };
  for (const sparkConf of WRONG) seen[await agrees(application({ spec: { sparkConf } }))]++;
  expect(seen.taken).toBeGreaterThan(40);
  expect(seen.refused).toBeGreaterThan(40);
});

test.each(applicationFixtures())('$file is taken, also again', async ({ manifest: { metadata, spec } }) => {
  const object = { metadata: { namespace: 'jobs', ...metadata }, spec };
  const validate = sparkApplicationValidator({ ...world(), isSelected: () => true });
  const { namespace } = object.metadata;

  const { allowed, message } = await validate(creation('SparkApplication', object, { namespace }));

  expect({ allowed, message }).toEqual({ allowed: true, message: undefined });
  expect(submit({ metadata: { ...object.metadata, uid: 'uid' }, spec })).toBe(undefined);
  expect(await validate(update('SparkApplication', object, object, { namespace }))).toEqual({ allowed: true });
});
