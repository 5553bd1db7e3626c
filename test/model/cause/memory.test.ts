/* Limits of memory in causes. */
import { exceededLimit, withMemory, type MemorySpec } from '../../../src/model/cause/memory';

const spec = (driver: object, executor: object = {}, sparkConf?: Record<string, string>) => ({ driver, executor, sparkConf }) as MemorySpec;

test.each([
  ['the heap of its field and the overhead', '1408Mi', spec({ memory: '1g' }), ' of 1408Mi (spec.driver.memory 1g + overhead 384m)'],
  ['the heap of its property', '2867Mi', spec({}, {}, { 'spark.driver.memory': '2g' }), ' of 2867Mi (spark.driver.memory 2g + overhead 819m)'],
  ['an overhead of its own', '5Gi', spec({ memory: '1g', memoryOverhead: '4g' }), ' of 5Gi (spec.driver.memory 1g + overhead 4096m)'],
  ['a limit of its own', '8Gi', spec({ memory: '1g', memoryLimit: '8Gi' }), ' of 8Gi (spec.driver.memoryLimit)'],
  ['an enforced heap, which the specification does not have', '4505Mi', spec({ memory: '1g' }), ' of 4505Mi'],
  ['no heap', '1408Mi', spec({}), ' of 1408Mi'],
  ['no limit that is known', undefined, spec({ memory: '1g' }), ''],
])('a driver with %s', (_, limit, given, text) => {
  expect(exceededLimit("the driver's container", limit, 'driver', given)).toBe(`the driver's container exceeded its memory limit${text}`);
});

test.each([
  ['an overhead of its own', spec({}, { memory: '512m', memoryOverhead: '200m' }), 'spec.executor.memory 512m + overhead 200m'],
  ['an overhead by its property', spec({}, { memory: '512m' }, { 'spark.executor.memoryOverhead': '200m' }), 'spec.executor.memory 512m + overhead 200m'],
  ['a limit of its own', spec({}, { memory: '512m', memoryLimit: '2Gi' }), 'spec.executor.memoryLimit 2Gi'],
])('an executor with %s', (_, given, limit) => {
  const [killed, crashed] = ['executor 2 was killed with exit code 137 (OOMKilled): its container exceeded its memory limit', 'a Python worker crashed in executor 2'];
  expect(withMemory(killed, given)).toBe(`${killed} (${limit})`);
  expect(withMemory(crashed, given)).toBe(`${crashed}, often at the memory limit of its container (${limit})`);
});

test.each([
  ['OutOfMemoryError: Java heap space (Job.java:3)', 'OutOfMemoryError: Java heap space in the driver (spec.driver.memory 1g) (Job.java:3)'],
  ['OutOfMemoryError: Java heap space in executor 2 (Job.java:3)', 'OutOfMemoryError: Java heap space in executor 2 (spec.executor.memory 4g) (Job.java:3)'],
  ['executor 2 was killed with exit code 137 (OOMKilled): its container exceeded its memory limit', 'executor 2 was killed with exit code 137 (OOMKilled): its container exceeded its memory limit (spec.executor.memory 4g + overhead)'],
  ['a Python worker crashed in executor 1 (job.py:9)', 'a Python worker crashed in executor 1, often at the memory limit of its container (spec.executor.memory 4g + overhead) (job.py:9)'],
  ['a Python worker crashed in the driver', 'a Python worker crashed in the driver, often at the memory limit of its container (spec.driver.memory 1g + overhead)'],
  ['ValueError: no rows', 'ValueError: no rows'],
])('%s', (cause, text) => {
  const given = spec({ memory: '1g' }, { memory: '4g' });
  expect(withMemory(cause, given)).toBe(text);
  // The operator has written it into the status already.
  expect(withMemory(text, given)).toBe(text);
});
