import { SparkMemory } from '../../src';
import { sparkSize } from '../../src/props/_check';

test.each([
  ['4g', 4096], ['512m', 512], ['1024', 1024], ['2T', 2 * 1024 ** 2], ['1gb', 1024], [' 2048k ', 2], ['1048576b', 1], ['4Gi', 4096], ['512MiB', 512],
])('%s is %d MiB', (text, mebibytes) => {
  expect(SparkMemory.parse(text).toMebibytes()).toBe(mebibytes);
});

test('a parsed size is formatted again', () => {
  expect(['4g', '1536m', '1t', '450M', '1025g'].map((text) => sparkSize(SparkMemory.parse(text)))).toEqual([
    '4g', '1536m', '1024g', '450m', '1025g',
  ]);
});

test.each([
  ['4Gx', 'must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi'],
  ['1.5g', 'must be a whole number and a unit of Spark or Kubernetes'],
  ['lots', 'must be a whole number and a unit of Spark or Kubernetes'],
  ['0m', 'must be whole MiB, at least 1'],
  ['1500k', 'must be whole MiB, at least 1'],
  ['2000000000p', 'must be whole MiB, at least 1'],
])('%s is rejected', (text, reason) => {
  expect(() => SparkMemory.parse(text)).toThrow(`SparkMemory.parse: text = ${JSON.stringify(text)} ${reason}`);
});
