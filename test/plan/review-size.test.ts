import { application, CONTEXT } from './application';
import { parseReview } from '../../src/operator/admission/parse';
import { planNative, planSparkSubmit } from '../../src/plan/plan';
import { prepareSubmission } from '../../src/plan/prepare';
import { reviewSize } from '../../src/plan/review-size';

const variables = (count: number, value = 'x') => Array.from({ length: count }, (_, index) => ({ name: `V${1000 + index}`, value }));
const pod = (env: object[]) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'jobs' }, spec: { containers: [{ name: 'main', image: 'i', env }] } }) as any;

/** The review of an API server about the creation of that pod, with `managedFields` as it writes them. */
function reviewOf(env: readonly { name: string }[]): Buffer {
  const tracked = env.map(({ name }) => `"k:{\\"name\\":\\"${name}\\"}":{".":{},"f:name":{},"f:value":{}}`).join();
  const fields = `{"f:spec":{"f:containers":{"k:{\\"name\\":\\"main\\"}":{".":{},"f:env":{".":{},${tracked}},"f:image":{},"f:name":{}}}}}`;
  const managed = `"managedFields":[{"manager":"node","operation":"Update","apiVersion":"v1","time":"2026-03-01T10:00:00Z","fieldsType":"FieldsV1","fieldsV1":${fields}}]`;
  const object = JSON.stringify(pod([...env])).replace('"namespace":"jobs"', `"namespace":"jobs",${managed}`).replaceAll('<', '\\u003c');
  return Buffer.from(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","kind":{"group":"","version":"v1","kind":"Pod"},"namespace":"jobs","operation":"CREATE","object":${object}}}`);
}

const isTaken = (env: readonly { name: string }[]): boolean => {
  try {
    return parseReview(reviewOf(env)) !== undefined;
  } catch {
    return false;
  }
};

test('it is what the webhook counts', () => {
  const fits = (env: object[]) => {
    const { bytes, values } = reviewSize(pod(env));
    return bytes <= 512 * 1024 && values <= 50_000;
  };
  // By values, by bytes, and by characters that Go writes with six bytes; each a little below the limit and a little above.
  const below = [variables(4_850), variables(1, 'x'.repeat(520_000)), variables(1, '<'.repeat(86_500))];
  const above = [variables(5_050), variables(1, 'x'.repeat(528_000)), variables(1, '<'.repeat(88_000))];
  expect(below.map((env) => [fits(env), isTaken(env)])).toEqual(below.map(() => [true, true]));
  expect(above.map((env) => [fits(env), isTaken(env)])).toEqual(above.map(() => [false, false]));
});

describe('a pod that is too large for the webhook is refused before anything is created', () => {
  const LONG = 'x'.repeat(600 * 1024);
  const NEEDS_IT = { memoryLimit: '6g' };
  type Way = typeof planNative | typeof planSparkSubmit;
  const plan = (way: Way, changes: object, podWebhook = true) => () => void way(prepareSubmission(application(changes), { ...CONTEXT, podWebhook }));

  test.each<[string, Way, object, RegExp]>([
    ['a driver', planNative, { driver: { env: variables(1, LONG) }, executor: NEEDS_IT },
      /^spec\.driver makes a pod of 60\d KiB, with .*, more than the 512 KiB that the operator's webhook for pods takes, which spec\.executor\.memoryLimit needs; move long values .* into a ConfigMap or Secret and mount it, or remove what needs the webhook$/],
    ['a driver with many variables', planNative, { driver: { env: variables(5_050) }, executor: NEEDS_IT }, /^spec\.driver makes a pod of 5\d{4} fields and entries, .* more than the 50000 that/],
    ['executors', planNative, { executor: { ...NEEDS_IT, env: variables(1, LONG) } }, /^spec\.executor makes a pod of 60\d KiB/],
    ['executors, by variables in properties', planNative, { executor: { ...NEEDS_IT, envVars: { LONG } } }, /^spec\.executor makes a pod of 60\d KiB/],
    ['executors of spark-submit', planSparkSubmit, { executor: { ...NEEDS_IT, env: variables(1, LONG) } }, /^spec\.executor makes a pod of 60\d KiB/],
    ['a driver of spark-submit', planSparkSubmit, { driver: { annotations: { A: LONG.slice(0, 100 * 1024), B: LONG.slice(0, 100 * 1024) }, env: variables(1, LONG.slice(0, 400 * 1024)) }, executor: NEEDS_IT }, /^spec\.driver makes a pod of 60\d KiB/],
  ])('%s', (_, way, changes, message) => {
    expect(plan(way, changes)).toThrow(message);
    expect(plan(way, changes, false)).not.toThrow();
  });

  test('not if it does not go through the webhook', () => {
    expect(plan(planSparkSubmit, { driver: NEEDS_IT, executor: { env: variables(1, LONG) } })).not.toThrow();
    expect(plan(planNative, { driver: { ...NEEDS_IT, env: variables(1, LONG) } })).not.toThrow();
  });
});
