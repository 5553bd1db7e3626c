import { CRD_RULES } from './crd-rules';
import { RULES } from './rules';
import { answerTo } from './validate/questions';

/** How the messages say what to write instead. */
const REMEDY = /\b(?:write|remove|choose|set|move|name the|name one|name each|raise|lower|put|mount it|add a volume|use|ask for less|such as|must|is not the name of)\b/;

const refused = RULES.filter(({ layer }) => layer === 'webhook');

test.each(refused)('$kind: $rule', async ({ kind, change, operator, message }) => {
  const answer = await answerTo(kind, change, operator);

  expect(answer.message).toBe(message);
  expect(answer).toMatchObject({ allowed: false, code: message.includes('ResourceQuota') ? 403 : 422 });
});

test.each(RULES.filter(({ layer }) => layer === 'policy'))('$kind: $rule, also where there are no policies', async ({ kind, change, message }) => {
  const answer = await answerTo(kind, change);

  expect(answer).toMatchObject({ allowed: false, code: 422 });
  const field = message.slice(0, message.indexOf(' = '));
  expect(answer.message!.replaceAll('"', '')).toMatch(new RegExp(`^${field.replaceAll(/[.[\]]/g, '\\$&')} `));
});

test.each(RULES.filter(({ layer }) => layer === 'operator'))('$kind: $rule, which nobody looks at before', async ({ kind, change, operator }) => {
  expect(await answerTo(kind, change, operator)).toEqual({ allowed: true });
});

test.each(CRD_RULES)('$kind by its CRD: $rule', ({ change }) => {
  expect(change).toBeDefined();
});

test.each([...RULES, ...CRD_RULES])('what to write instead is said: $message', ({ message }) => {
  expect(message).toMatch(REMEDY);
});

test('each of the objects is taken without what is wrong', async () => {
  for (const kind of ['SparkApplication', 'ScheduledSparkApplication', 'SparkConnect'] as const) expect(await answerTo(kind)).toEqual({ allowed: true });
});
