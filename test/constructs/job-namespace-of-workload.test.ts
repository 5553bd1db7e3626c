import { Size, Testing } from 'cdk8s';
import {
  BatchScheduler, SparkApplication, type SparkApplicationProps, SparkApplicationType, SparkConnect, SparkJobNamespace, type SparkJobNamespaceProps,
  SparkOperator, type SparkOperatorProps, SparkProfile,
} from '../../src';
import { problemsOf, synthesized } from './synthesis';

interface Given {
  readonly operator?: SparkOperatorProps;
  readonly namespace?: Partial<SparkJobNamespaceProps>;
}

const PROGRAM = { type: SparkApplicationType.PYTHON, mainApplicationFile: 'local:///pi.py', sparkVersion: '4.1.1' };

/** A job namespace of an operator that reads ConfigMaps with defaults. */
function jobs({ operator, namespace }: Given = {}): SparkJobNamespace {
  const chart = Testing.chart();
  return new SparkJobNamespace(chart, 'jobs', {
    name: 'team-a',
    operator: new SparkOperator(chart, 'operator', { installCrds: false, jobNamespaces: [], defaultsConfigMapName: 'spark-defaults', ...operator }),
    ...namespace,
  });
}

function application(props: Partial<SparkApplicationProps>, given?: Given): SparkApplication {
  const jobNamespace = jobs(given);
  return new SparkApplication(jobNamespace.node.scope!, 'pi', { ...PROGRAM, jobNamespace, ...props });
}

const manifest = (props: Partial<SparkApplicationProps>, given?: Given) => synthesized(application(props, given)).find(({ kind }) => kind === 'SparkApplication');

test('an application is in the namespace, with its service account', () => {
  const { metadata, spec } = manifest({}, { namespace: { serviceAccountName: 'jobs' } });
  expect([metadata.namespace, spec.driver.serviceAccount, spec.image]).toEqual(['team-a', 'jobs', 'apache/spark:4.1.1']);
});

test('the defaults of the namespace decide about image and service account', () => {
  const { spec } = manifest({}, { namespace: { defaults: SparkProfile.of({ image: 'i:1', driver: { serviceAccount: 'other' } }) } });
  expect([spec.image, spec.driver.serviceAccount]).toEqual([undefined, undefined]);
});

test.each<[string, Partial<SparkApplicationProps>, Given, string]>([
  ['another namespace', { metadata: { namespace: 'team-b' } }, {}, 'metadata.namespace = "team-b" is not that of jobNamespace, team-a; leave one of them out'],
  [
    'more executors than allowed', { executor: { instances: 30 } }, { namespace: { limits: { maxExecutors: 20 } } },
    'executor.instances = "30" is more than what ConfigMap team-a/spark-defaults allows (limits.yaml: maxExecutors: 20); write at most 20, or ask who looks after the ConfigMap',
  ],
])('%s is rejected', (_, props, given, problem) => {
  expect(problemsOf(application(props, given))).toEqual([`[test/pi] ${problem}`]);
});

test('more than the whole quota is rejected', () => {
  const given = { namespace: { quota: { memory: Size.gibibytes(32) } } };
  expect(problemsOf(application({ executor: { instances: 10, memory: Size.gibibytes(8) } }, given))).toEqual(['requests', 'limits'].map((kind) => expect.stringMatching(
    new RegExp(`executor.instances = "10" is more than ResourceQuota team-a/spark has room for: the driver and 10 executors need \\S+ of ${kind}.memory, and 32Gi of 32Gi are left; write at most 2`),
  )));
});

test('a server is compared with limits and quota, too', () => {
  const jobNamespace = jobs({ namespace: { limits: { maxExecutors: 3 }, quota: { cpu: 4 } } });
  new SparkConnect(jobNamespace.node.scope!, 'many', {
    sparkVersion: '4.1.1', jobNamespace, metadata: { name: 'many' }, executor: { instances: 4 },
  });
  const large = new SparkConnect(jobNamespace.node.scope!, 'large', {
    sparkVersion: '4.1.1', jobNamespace, metadata: { name: 'large' }, executor: { instances: 3, cores: 2 },
  });
  expect(problemsOf(large)).toEqual([
    '[test/many] executor.instances = "4" is more than what ConfigMap team-a/spark-defaults allows (limits.yaml: maxExecutors: 3); write at most 3, or ask who looks after the ConfigMap',
    expect.stringMatching(/^\[test\/large\] executor.instances = "3" is more than ResourceQuota team-a\/spark has room for: .* 7 of requests.cpu, and 4 of 4 are left; write at most 1/),
  ]);
});

test('what the operator has not enabled is a warning, and with strict an error', () => {
  const batchScheduler = BatchScheduler.volcano();
  expect(problemsOf(application({ batchScheduler }))).toEqual([]);
  expect(problemsOf(application({ batchScheduler, strict: true }, { operator: { batchScheduling: {} } }))).toEqual([]);
  expect(problemsOf(application({ batchScheduler, strict: true }))).toEqual([
    '[test/pi] batchScheduler does not schedule the application as a gang: the operator runs without --enable-batch-scheduler=true; it is only set as schedulerName of the pods',
  ]);
});

test('limits that only the admission policy has are not those of a ConfigMap', () => {
  const given = { operator: { defaultsConfigMapName: undefined }, namespace: { limits: { allowedImages: ['registry.example.org/*'] } } };
  expect(problemsOf(application({ image: 'i:1' }, given))).toEqual([
    '[test/pi] image = "i:1" is not among what the SparkJobNamespace team-a allows (limits: allowedImages: registry.example.org/*); write one of those images, or ask who looks after the SparkJobNamespace team-a',
  ]);
});

test('what the namespace gets later counts in the next synthesis', () => {
  const jobNamespace = jobs();
  const app = new SparkApplication(jobNamespace.node.scope!, 'pi', { ...PROGRAM, jobNamespace });
  expect(problemsOf(app)).toEqual([]);
  jobNamespace.addSparkConf('spark.executor.memory', '4Gi');
  expect(problemsOf(app)).toEqual([expect.stringContaining('[test/pi] sparkConf[spark.executor.memory] = "4Gi" is not a size')]);
});
