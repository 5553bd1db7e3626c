import { LABEL_CREATED_BY } from '../../../src/api/labels';
import { planNative } from '../../../src/plan/plan';
import { prepareSubmission } from '../../../src/plan/prepare';
import type { BatchSchedulerSettings } from '../../../src/plan/settings';
import { application, CONTEXT, type Changes } from '../application';
import { seenBySparkSubmit, seenNatively } from './reads';

const ON: BatchSchedulerSettings = { kubeSchedulers: ['gang'] };
const VOLCANO = { batchScheduler: 'volcano' };

test('the group is created before the driver, as an object of its submission', () => {
  const { resources, driver } = planNative(prepareSubmission(application({ spec: VOLCANO }), { ...CONTEXT, batchSchedulers: ON }));
  const group = resources.find(({ kind }) => kind === 'PodGroup')!;

  expect(group.metadata.namespace).toBe('jobs');
  expect(group.metadata.ownerReferences).toEqual(driver.metadata.ownerReferences);
  expect(group.metadata.labels).toMatchObject({ [LABEL_CREATED_BY]: 'true', 'sparkoperator.k8s.io/submission-id': CONTEXT.submissionID });
});

test('without gang scheduling, only schedulerName is set, with a warning', () => {
  const { driver, executor, group, warnings } = seenNatively({
    spec: { batchScheduler: 'volcano', batchSchedulerOptions: { queue: 'etl' } },
  });

  expect([driver, executor].map(({ spec }) => spec.schedulerName)).toEqual(['volcano', 'volcano']);
  expect([driver, executor].flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}))).toEqual([]);
  expect(group).toBeUndefined();
  expect(warnings).toEqual([
    'spec.batchScheduler does not schedule the application as a gang: the operator runs without --enable-batch-scheduler=true; it is only set as schedulerName of the pods',
  ]);
});

test('an unknown scheduler might exist in the cluster: it is set as schedulerName, with a warning', () => {
  const { driver, group, warnings } = seenNatively({ spec: { batchScheduler: 'koordinator' } }, ON);

  expect([driver.spec.schedulerName, group]).toEqual(['koordinator', undefined]);
  expect(warnings).toEqual([
    'spec.batchScheduler is not a scheduler that the operator knows: volcano, yunikorn, gang (--kube-scheduler-names adds more); it is only set as schedulerName of the pods',
  ]);
});

test.each<[string, Changes]>([
  ['batchScheduler', { spec: { batchScheduler: 'yunikorn' } }],
  ['schedulerName of a role', { executor: { schedulerName: 'mine' } }],
  ['a property', { spec: { sparkConf: { 'spark.kubernetes.driver.scheduler.name': 'mine' } } }],
  ['a template', { driver: { template: { spec: { schedulerName: 'mine', containers: [] } } } }],
])("the operator's default applies to applications without a scheduler, but not with %s", (_, changes) => {
  const { driver, executor, group } = seenNatively(changes, { ...ON, default: 'volcano' });

  expect([driver, executor].map(({ spec }) => spec.schedulerName)).not.toContain('volcano');
  expect(group).toBeUndefined();
});

test("known failure R9: the pods have the operator's default in every submission mode", () => {
  for (const seen of [seenNatively({}, { ...ON, default: 'gang' }), seenBySparkSubmit({}, { ...ON, default: 'gang' })]) {
    expect([seen.driver, seen.executor].map(({ spec }) => spec.schedulerName)).toEqual(['gang', 'gang']);
    expect(seen.group?.metadata.name).toBe('pi-pg');
  }
});

test('amounts that only the driver knows are not guessed', () => {
  const of = (spec: object) => {
    const { scheduled, properties } = prepareSubmission(application({
      spec: { sparkConf: { 'spark.executor.memoryOverhead': '${env:OVERHEAD}' }, ...spec },
    }), { ...CONTEXT, batchSchedulers: ON });
    return { ...scheduled, groups: properties.get('spark.kubernetes.driver.annotation.yunikorn.apache.org/task-groups') };
  };
  const told = (scheduler: string) => [{ path: 'spec.sparkConf[spark.executor.memoryOverhead]', reason: `is known only in the driver, so ${scheduler} does not get the demand of the application`, severity: 'warning' }];

  expect(of(VOLCANO)).toMatchObject({ group: { spec: { minMember: 1 } }, warnings: told('volcano') });
  expect(of(VOLCANO).group!.spec).not.toHaveProperty('minResources');
  expect(of({ ...VOLCANO, batchSchedulerOptions: { resources: { cpu: '2' } } })).toMatchObject({
    group: { spec: { minResources: { cpu: '2' } } }, warnings: [],
  });
  expect(of({ batchScheduler: 'yunikorn' })).toMatchObject({ groups: undefined, warnings: told('yunikorn') });
});

test('amounts are exact, whatever their unit', () => {
  const odd = { name: 'odd', image: 'odd', resources: { requests: { 'cpu': '0.0005', 'ephemeral-storage': '1G', 'memory': '1' } } };
  expect(seenNatively({ spec: VOLCANO, driver: { sidecars: [odd] } }, ON).group!.spec.minResources).toEqual({
    'cpu': '2001m', 'memory': String(2816 * 2 ** 20 + 1), 'ephemeral-storage': '1000000000',
  });
});

test('different labels and annotations of the user are replaced, with a warning', () => {
  const { driver, warnings } = seenNatively({
    spec: {
      batchScheduler: 'yunikorn', batchSchedulerOptions: { queue: 'root.a' },
    }, driver: { labels: { queue: 'root.b' } },
  }, ON);

  expect(driver.metadata.labels).toMatchObject({ queue: 'root.a' });
  expect(warnings).toEqual(['spec.driver.labels[queue] is overridden by spec.batchScheduler and its options']);
});

test.each([
  ['volcano', 'Root', 'spec.batchSchedulerOptions.queue = "Root" is not a valid name of a Volcano queue'],
  [
    'yunikorn', 'root.user@example',
    'spec.batchSchedulerOptions.queue = "root.user@example" is not valid in the label with which YuniKorn selects a queue',
  ],
])('a queue that %s would reject is rejected: %s', (batchScheduler, queue, message) => {
  expect(() => seenNatively({ spec: { batchScheduler, batchSchedulerOptions: { queue } } }, ON)).toThrow(message);
});

test('options without a scheduler have no effect', () => {
  expect(seenNatively({ spec: { batchSchedulerOptions: { queue: 'etl' } } }, ON).warnings).toEqual([
    'spec.batchSchedulerOptions has no effect without spec.batchScheduler',
  ]);
});

test.each<[string, string, object, readonly string[]]>([
  ['volcano', 'annotations', { 'scheduling.k8s.io/group-name': 'mine' }, ['queue', 'priorityClassName', 'resources']],
  ['gang', 'labels', { 'scheduling.x-k8s.io/pod-group': 'mine' }, ['resources']],
])('with a group of the user, a warning of %s names the options without effect', (batchScheduler, where, mark, lost) => {
  const batchSchedulerOptions = Object.fromEntries(Object.entries({
    queue: 'etl', priorityClassName: 'high', resources: { cpu: '1' },
  }).filter(([option]) => lost.includes(option)));
  const { group, warnings } = seenNatively({ spec: { batchScheduler, batchSchedulerOptions }, driver: { [where]: mark } }, ON);

  expect(group).toBeUndefined();
  expect(warnings).toEqual(
    lost.map((option) => `spec.batchSchedulerOptions.${option} has no effect: the driver is in your own group; set it there`),
  );
});

test.each([
  'executor.resource.gpu.amount', 'driver.resource.gpu.vendor',
])('numbers of GPUs that only the driver knows are not guessed: spark.%s', (key) => {
  const sparkConf = {
    'spark.executor.resource.gpu.vendor': 'nvidia.com', 'spark.executor.resource.gpu.amount': '2', [`spark.${key}`]: '${env:GPU}',
  };
  const { scheduled } = prepareSubmission(application({ spec: { ...VOLCANO, sparkConf } }), { ...CONTEXT, batchSchedulers: ON });

  expect(scheduled).toEqual({
    group: expect.objectContaining({ spec: { minMember: 1 } }),
    warnings: [{ path: `spec.sparkConf[spark.${key}]`, reason: 'is known only in the driver, so volcano does not get the demand of the application', severity: 'warning' }],
  });
});

test("the warning about a label that the operator's default replaces names the flag", () => {
  const { warnings } = seenNatively(
    { driver: { annotations: { 'yunikorn.apache.org/task-group-name': 'mine' } } }, { ...ON, default: 'yunikorn' },
  );
  expect(warnings).toEqual([
    "spec.driver.annotations[yunikorn.apache.org/task-group-name] is overridden by the operator's --default-batch-scheduler",
  ]);
});
