import { inLanguage } from '../../src/constructs/_language';

const PROBLEM = {
  path: 'dynamicAllocation.shuffleTracking', value: false,
  reason: 'is false, and "shuffleTracking" of spark.dynamicAllocation.enabled stays', remedy: 'set sparkConf[spark.shuffle.service.enabled]',
};

test.each<[agent: string | undefined, path: string, reason: string, remedy: string]>([
  [undefined, PROBLEM.path, PROBLEM.reason, PROBLEM.remedy],
  ['node.js/v24', PROBLEM.path, PROBLEM.reason, PROBLEM.remedy],
  ['Java/21', PROBLEM.path, PROBLEM.reason, PROBLEM.remedy],
  ['Python/3.12.1', 'dynamic_allocation.shuffle_tracking', PROBLEM.reason, 'set spark_conf[spark.shuffle.service.enabled]'],
  ['go1.24/linux/amd64', 'DynamicAllocation.ShuffleTracking', PROBLEM.reason, 'set SparkConf[spark.shuffle.service.enabled]'],
  ['DotNet/8.0', 'DynamicAllocation.ShuffleTracking', PROBLEM.reason, 'set SparkConf[spark.shuffle.service.enabled]'],
])('names of props for a program of %s', (agent, path, reason, remedy) => {
  expect(inLanguage(PROBLEM, agent)).toEqual({ path, value: false, reason, remedy });
});

test('keys of maps stay, and single words are names of props in a path only', () => {
  const problem = { path: 'driver.env[myName].x', reason: 'replaces driver and ui.portName' };
  expect(inLanguage(problem, 'go1.24')).toEqual({ path: 'Driver.Env[myName].X', reason: 'replaces driver and ui.PortName' });
  expect(inLanguage(problem, 'Python/3.12')).toEqual({ path: 'driver.env[myName].x', reason: 'replaces driver and ui.port_name' });
});
