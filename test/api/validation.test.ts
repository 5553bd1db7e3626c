/* What the API server refuses, synth refuses; what it takes, synth takes: the same cases go to both. */
import { SPARK_APPLICATION } from '../../src/api/spark-application';
import { schemaOfKind } from '../../src/constructs/_schema';
import { violations } from '../../src/validation/validate';
import { install, type Installation } from '../helpers/installation';
import { tryKubectl } from '../helpers/kubectl';

let installation: Installation;

beforeAll(async () => {
  installation = await install('validation');
}, 60_000);
afterAll(() => installation?.remove());

const VALID = { type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} };

const CASES: readonly [name: string, spec: object, field: string | undefined][] = [
  ['the least', {}, undefined],
  ['sizes as Spark writes them', { driver: { memory: '512m', memoryOverhead: '1073741824' }, executor: { memory: '4G', memoryOverhead: '300mb' } }, undefined],
  ['a size as Kubernetes writes it', { driver: { memory: '4Gi' } }, 'spec.driver.memory'],
  ['a size that is none', { executor: { memoryOverhead: 'lots' } }, 'spec.executor.memoryOverhead'],
  ['CPU quantities', { driver: { coreRequest: '200m', coreLimit: '1.5' } }, undefined],
  ['a CPU quantity that is none', { driver: { coreRequest: '2 cores' } }, 'spec.driver.coreRequest'],
  ['no cores', { executor: { cores: 0 } }, 'spec.executor.cores'],
  ['half a core', { executor: { cores: 0.5 } }, 'spec.executor.cores'],
  ['cores as text', { executor: { cores: '1' } }, 'spec.executor.cores'],
  ['no executors', { executor: { instances: 0 } }, 'spec.executor.instances'],
  ['an unknown type', { type: 'Perl' }, 'spec.type'],
  ['an unknown field', { drivr: {} }, 'spec.drivr'],
  ['client mode', { mode: 'client' }, 'spec.mode'],
  ['an empty main file', { mainApplicationFile: '' }, 'spec.mainApplicationFile'],
  ['no Spark version', { sparkVersion: undefined }, 'spec.sparkVersion'],
  ['a version of a vendor', { sparkVersion: '3.5.8-amzn-1' }, undefined],
  ['a version that is none', { sparkVersion: 'latest' }, 'spec.sparkVersion'],
  ['an overhead factor', { memoryOverheadFactor: '.25' }, undefined],
  ['an overhead factor that is none', { memoryOverheadFactor: '10%' }, 'spec.memoryOverheadFactor'],
  ['an empty overhead factor', { memoryOverheadFactor: '' }, 'spec.memoryOverheadFactor'],
  ['a Pod name', { driver: { podName: 'etl.driver-1' } }, undefined],
  ['a Pod name that is none', { driver: { podName: 'Driver_1' } }, 'spec.driver.podName'],
  ['a Pod name that is too long', { driver: { podName: 'd'.repeat(254) } }, 'spec.driver.podName'],
  ['bounds of dynamic allocation', { dynamicAllocation: { enabled: true, minExecutors: 0, maxExecutors: 4 } }, undefined],
  ['bounds the wrong way round', { dynamicAllocation: { minExecutors: 4, maxExecutors: 2 } }, 'spec.dynamicAllocation'],
  ['a property that is no text', { sparkConf: { 'spark.executor.cores': 2 } }, 'spec.sparkConf["spark.executor.cores"]'],
  ['arguments that are no list', { arguments: '1 2' }, 'spec.arguments'],
];

test.each(CASES)('%s', async (name, fields, refused) => {
  const spec = { ...VALID, ...fields };
  const object = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: 'case', namespace: installation.jobs }, spec };
  const answer = await tryKubectl(['create', '--dry-run=server', '--validate=strict', '-f', '-'], JSON.stringify(object));
  const found = violations(schemaOfKind(SPARK_APPLICATION).properties!.spec!, spec, 'spec');

  expect({ name, refused: answer.code !== 0 && answer.stderr }).toEqual({ name, refused: refused === undefined ? false : expect.stringContaining(refused.replace(/\["(.*)"\]/, '.$1')) });
  expect(found.map(({ path }) => path)).toEqual(refused === undefined ? [] : [refused]);
  // Where a rule of ours refuses, both say the same.
  for (const { reason } of found.filter(({ path }) => /memory|core[RL]|podName|sparkVersion|dynamicAllocation/.test(path) && fields !== undefined)) {
    if (!/is required/.test(reason)) expect(answer.stderr).toContain(reason);
  }
});
