/* The number of executors that a specification requests. */
import { requestedExecutors } from '../../src/model/requested-executors';

const conf = (instances: string) => ({ sparkConf: { 'spark.executor.instances': instances } });

test.each<[what: string, spec: object, number: number | undefined]>([
  ['nothing is set', {}, 1],
  ['a field', { executor: { instances: 3 } }, 3],
  ['no executor', { executor: { instances: 0 } }, 0],
  ['a property', conf(' 3 '), 3],
  ['a field before a property', { executor: { instances: 2 }, ...conf('3') }, 2],
  ['more than the status can hold, which would be refused', conf('99999999999'), undefined],
  ['a blank', conf(' '), undefined],
  ['no decimal number', conf('0x10'), undefined],
  ['dynamic allocation', { executor: { instances: 2 }, dynamicAllocation: { enabled: true } }, undefined],
  ['dynamic allocation by a property', { sparkConf: { 'spark.dynamicAllocation.enabled': 'True' } }, undefined],
])('%s', (_, spec, number) => {
  expect(requestedExecutors(spec)).toBe(number);
});
