import type { Container, PodSpec } from '../../../src/k8s';
import { customizePod } from '../../../src/plan/pods/customize';
import { problemText } from '../../../src/model/problem';
import { type Described, field, pod, requestFor } from './helpers';

describe('warnings beyond the table of precedence', () => {
  const warningsOf = (wanted: Described, spec?: Partial<PodSpec>, container?: Partial<Container>) => (
    customizePod(pod('driver', spec, container), requestFor('driver', wanted)).warnings.map(problemText)
  );

  test.each<[string, Described, string]>([
    ['a GPU without a number', field({
      gpu: { name: 'nvidia.com/gpu', quantity: 0 },
    }), 'spec.driver.gpu has no effect without a quantity of at least 1'],
    ['a GPU without a name', field({
      gpu: { name: '', quantity: 1 },
    }), 'spec.driver.gpu has no effect without a name such as nvidia.com/gpu'],
    ['a variable twice', field({
      env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }],
    }), 'spec.driver.env[0] is overridden by spec.driver.env[1]'],
  ])('%s', (_, wanted, warning) => {
    expect(warningsOf(wanted)).toEqual([warning]);
  });

  test('a variable that Spark sets', () => {
    expect(warningsOf(field({ env: [{ name: 'SPARK_USER', value: 'x' }] }), {}, { env: [{ name: 'SPARK_USER', value: 'spark' }] }))
      .toEqual(['spec.driver.env[SPARK_USER] replaces SPARK_USER, which Spark sets itself']);
  });

  test('no warning contains a value', () => {
    const warnings = warningsOf({ pod: { env: [{ name: 'TOKEN', value: 'n3w' }], schedulerName: 'n3w' } }, { schedulerName: '0ld' }, {
      env: [{ name: 'TOKEN', value: '0ld' }],
    });

    expect(warnings).toHaveLength(2);
    expect(warnings.join()).not.toMatch(/n3w|0ld/);
  });
});
