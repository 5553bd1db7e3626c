import { executorFailuresText } from '../../../src/model/cause/executor-failures';

const OUT_OF_MEMORY = { reason: 'Error', exitCode: 52 };

test.each([
  [[{ ...OUT_OF_MEMORY, count: 1 }], 'exit code 52: out of memory: a Java OutOfMemoryError'],
  [[{ ...OUT_OF_MEMORY, count: 3 }], 'exit code 52: out of memory: a Java OutOfMemoryError'],
  [[{ reason: 'Error', exitCode: 7, count: 1 }], 'exit code 7'],
  [[{ reason: 'OOMKilled', exitCode: 137, count: 2 }, { reason: 'Evicted', count: 1 }], 'OOMKilled, exit code 137 (2); Evicted'],
])('%j', (failures, text) => expect(executorFailuresText(failures)).toBe(text));
