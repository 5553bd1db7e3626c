import { CRD_RULES } from './crd-rules';
import { RULES } from './rules';
import { answerTo } from './validate/questions';

/** Patterns of a remedy in messages. */
const REMEDY = new RegExp(`\\b(?:${[
  'write', 'remove', 'choose', 'set', 'move', 'name the', 'name one', 'name each', 'raise', 'lower', 'put', 'mount it', 'mount the', 'add it', 'add a volume',
  'use', 'ask for less', 'such as', 'must', 'is not the name of',
].join('|')})\\b`);

const refused = RULES.filter(({ layer }) => layer === 'webhook');

test.each(refused)('$kind: $rule', async ({ kind, change, operator, message }) => {
  const answer = await answerTo(kind, change, operator);

  expect(answer.message).toBe(message);
  expect(answer).toMatchObject({ allowed: false, code: message.includes('ResourceQuota') ? 403 : 422 });
});

test.each(RULES.filter(({ layer }) => layer === 'policy'))('$kind: $rule, even without policies', async ({ kind, change, message }) => {
  const answer = await answerTo(kind, change);

  expect(answer).toMatchObject({ allowed: false, code: 422 });
  const field = message.slice(0, message.indexOf(' = '));
  expect(answer.message!.replaceAll('"', '')).toMatch(new RegExp(`^${field.replaceAll(/[.[\]]/g, '\\$&')} `));
});

test.each(
  RULES.filter(({ layer }) => layer === 'operator'),
)('$kind: $rule, which only the operator checks', async ({ kind, change, operator }) => {
  expect(await answerTo(kind, change, operator)).toMatchObject({ allowed: true });
});

test.each(CRD_RULES)('$kind by its CRD: $rule', ({ change }) => {
  expect(change).toBeDefined();
});

test.each([...RULES, ...CRD_RULES])('the message contains a remedy: $message', ({ message }) => {
  expect(message).toMatch(REMEDY);
});

test('each object is accepted without the mistake', async () => {
  for (const kind of ['SparkApplication', 'ScheduledSparkApplication', 'SparkConnect'] as const) {
    expect(await answerTo(kind)).toEqual({ allowed: true });
  }
});
