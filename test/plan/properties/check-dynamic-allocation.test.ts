import { application, planOf } from '../application';

const dynamic = (numbers: object, enabled = 'true') => application({
  spec: {
    sparkConf: Object.fromEntries([
      ['enabled', enabled], ...Object.entries(numbers),
    ].map(([name, value]) => [`spark.dynamicAllocation.${name}`, value])),
  },
});
const field = (name: string) => `spec.sparkConf[spark.dynamicAllocation.${name}]`;

// Errors that Spark only reports when the driver starts.
test.each([
  [
    { minExecutors: '4', maxExecutors: '2' },
    `${field('minExecutors')} = "4" must not be greater than ${field('maxExecutors')}, 2; lower it, or raise the other`,
  ],
  [{ maxExecutors: '0' }, `${field('maxExecutors')} = "0" must be at least 1, as Spark does not start otherwise; write 1 or more, or remove it`],
  [{ minExecutors: '-1' }, `${field('minExecutors')} = "-1" must be at least 0; write 0 or more`],
  [
    { initialExecutors: 'many' },
    `${field('initialExecutors')} = "many" is not a number that Spark accepts here; write a whole number up to 2147483647`,
  ],
])('%j is rejected', (numbers, message) => {
  expect(() => planOf(dynamic(numbers))).toThrow(message);
});

test.each([
  ['equal numbers', dynamic({ minExecutors: '2', initialExecutors: '2', maxExecutors: '2' })],
  ['numbers that Spark puts right', dynamic({ minExecutors: '2', initialExecutors: '1', maxExecutors: '4' })],
  ['numbers that are not used', dynamic({ minExecutors: '4', maxExecutors: '0' }, 'false')],
  ['numbers that only the driver knows', dynamic({ minExecutors: '${env:LEAST}', maxExecutors: '2' })],
])('%s are submitted', (_, given) => {
  expect(() => planOf(given)).not.toThrow();
});

test('fields take precedence over properties', () => {
  const { spec, ...rest } = dynamic({ maxExecutors: '0' });
  expect(() => planOf({ ...rest, spec: { ...spec, dynamicAllocation: { enabled: true, maxExecutors: 3 } } })).not.toThrow();
});
