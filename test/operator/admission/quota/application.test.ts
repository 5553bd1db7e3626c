import fc from 'fast-check';
import { parseQuantity } from '../../../../src/rules/quantity';
import { specHash } from '../../../../src/operator/kinds/spark-application/spec-change';
import { answerTo, connect, creation, sparkApplication, update, validatorOf, world } from '../validate/questions';

const quota = (hard: object, used: object = {}, more: object = {}) => ({
  metadata: { namespace: 'jobs', name: 'team' }, spec: { hard, ...more }, status: { hard, used },
});
const under = (...quotas: object[]) => ({ quotas: () => Promise.resolve(quotas as any) });
const ask = async (hard: object, change: object, used?: object, more?: object) => (await answerTo(
  'SparkApplication', change, under(quota(hard, used, more)),
)).message;

test('known failure R10: the driver, and executors with the memory outside of the heap, up to the last byte', async () => {
  // 1408 MiB each.
  const three = { executor: { instances: 2 } };
  expect(await ask({ 'requests.memory': '4224Mi' }, three)).toBe(undefined);
  expect(await ask(
    { 'requests.memory': '4429185023' }, three,
  )).toMatch(/need 4224Mi of requests.memory, and 4223Mi of 4223Mi are left; write at most 1,/);
  expect(await ask({ 'requests.memory': '5Gi' }, three, { 'requests.memory': '900Mi' })).toMatch(/4220Mi of 5Gi are left/);
});

test('each role counts with its own amounts: requests and limits of CPU, GPUs, pods', async () => {
  const change = {
    driver: {
      coreRequest: '100m', coreLimit: '1',
    }, executor: { instances: 3, cores: 4, coreLimit: '5', gpu: { name: 'nvidia.com/gpu', quantity: 2 } },
  };
  expect(await ask(
    { 'cpu': '12100m', 'requests.cpu': '12100m', 'limits.cpu': '16', 'requests.nvidia.com/gpu': '6', 'pods': '4', 'count/pods': '4' },
    change,
  )).toBe(undefined);
  expect(await ask({ cpu: '12' }, change)).toMatch(/need 12100m of cpu, and 12 of 12 are left; write at most 2,/);
  expect(await ask({ 'limits.cpu': '15' }, change)).toMatch(/need 16 of limits.cpu/);
  expect(await ask(
    { 'requests.nvidia.com/gpu': '5' }, change,
  )).toMatch(/need 6 of requests.nvidia.com\/gpu, .*write at most 2, or ask for less \(spec.executor.gpu.quantity\)/);
  expect(await ask({ pods: '3' }, change)).toMatch(
    /need 4 of pods, and 3 of 3 are left; write at most 2, or ask who looks after the quota for more$/,
  );
});

test('in sparkConf and in templates, too', async () => {
  expect(await ask({ 'requests.cpu': '5' }, {
    sparkConf: { 'spark.executor.instances': '2', 'spark.kubernetes.executor.request.cores': '2500m' },
  })).toMatch(/^spec.sparkConf\[spark.executor.instances\] = "2" .*need 6 of requests.cpu/);
  expect(await ask({ 'requests.nvidia.com/gpu': '3' }, {
    sparkConf: { 'spark.executor.resource.gpu.amount': '4', 'spark.executor.resource.gpu.vendor': 'nvidia.com' },
  })).toMatch(/need 4 of requests.nvidia.com\/gpu/);
  const sidecar = { name: 'proxy', resources: { requests: { 'cpu': '500m', 'ephemeral-storage': '10Gi' } } };
  expect(await ask({ 'requests.cpu': '3' }, {
    executor: { instances: 2, template: { spec: { containers: [{ name: 'spark' }, sidecar] } } },
  })).toMatch(/need 4 of requests.cpu/);
  expect(await ask({ 'requests.ephemeral-storage': '15Gi' }, {
    executor: { instances: 2, sidecars: [{ ...sidecar, image: 'envoy' }] },
  })).toMatch(/need 20Gi of requests.ephemeral-storage, .*write at most 1,/);
});

test('with dynamic allocation the initial number of executors counts, not the maximum', async () => {
  const dynamic = (more: object) => ({ dynamicAllocation: { enabled: true, maxExecutors: 100, ...more } });
  expect(await ask({ pods: '1' }, dynamic({}))).toBe(undefined);
  expect(await ask({ pods: '5' }, dynamic({ minExecutors: 4 }))).toBe(undefined);
  expect(await ask(
    { pods: '5' }, dynamic({ minExecutors: 4, initialExecutors: 5 }),
  )).toMatch(/^spec.dynamicAllocation.initialExecutors = "5" .*write at most 4/);
  expect(await ask({ pods: '5' }, {
    ...dynamic({ minExecutors: 4 }), executor: { instances: 7 },
  })).toMatch(/^spec.executor.instances = "7" /);
  expect(await ask({ pods: '3' }, {
    sparkConf: { 'spark.dynamicAllocation.enabled': 'true', 'spark.dynamicAllocation.minExecutors': '3' },
  })).toMatch(/^spec.sparkConf\[spark.dynamicAllocation.minExecutors\] = "3" /);
});

test('objects other than pods count', async () => {
  // The driver's properties, and those that the driver creates for executors.
  expect(await ask({ 'configmaps': '2', 'count/configmaps': '2', 'services': '1' }, {})).toBe(undefined);
  expect(await ask({ configmaps: '1' }, {})).toMatch(
    new RegExp('^spec.driver needs more than ResourceQuota jobs/team has room for: the driver and 1 executor need 2 of configmaps, '
      + 'and 1 of 1 are left; ask who looks after the quota for more$'),
  );
  expect(await ask({ 'count/services': '0' }, {})).toMatch(/need 1 of count\/services/);
  expect(await ask({ configmaps: '0' }, {}, {}, { scopes: ['NotTerminating'] })).toBe(undefined);
});

test('a quota counts the pods of its scopes', async () => {
  const only = { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['batch'] }] } };
  const change = { executor: { instances: 3, priorityClassName: 'batch' } };
  expect(await ask({ pods: '3' }, change, {}, only)).toBe(undefined);
  expect(await ask({ pods: '2' }, change, {}, only)).toMatch(/need 3 of pods/);
  expect(await ask({ pods: '0' }, { executor: { instances: 3 } }, {}, only)).toBe(undefined);
});

test('a pod without a PriorityClass can get the default one of the cluster, which a quota might treat differently', async () => {
  for (const scope of [{ operator: 'DoesNotExist' }, { operator: 'NotIn', values: ['batch'] }]) {
    const only = { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', ...scope }] } };
    const answer = (change: object) => answerTo('SparkApplication', change, under(quota({ pods: '0' }, {}, only)));
    expect(await answer({})).toEqual({
      allowed: true,
      warnings: [
        'ResourceQuota jobs/team has no room, unless this cluster has a default PriorityClass, whose pods it ignores: the driver and 1 '
          + 'executor need 2 of pods, and 0 of 0 are left',
      ],
    });
    const batch = { driver: { priorityClassName: 'batch' }, executor: { priorityClassName: 'batch' } };
    expect(await answer(batch)).toEqual({ allowed: true });
  }
  // An explicit class is known.
  const notIn = { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['batch'] }] } };
  expect(await ask({ pods: '0' }, { driver: { priorityClassName: 'other' } }, {}, notIn)).toMatch(/need 1 of pods/);
});

test('the remedy for a claim names the field with its size', async () => {
  const claim = 'spark.kubernetes.driver.volumes.persistentVolumeClaim.d';
  const sparkConf = {
    [`${claim}.mount.path`]: '/d', [`${claim}.options.claimName`]: 'OnDemand', [`${claim}.options.storageClass`]: 'fast',
    [`${claim}.options.sizeLimit`]: '5Gi',
  };
  expect(await ask({ 'requests.storage': '5Gi' }, { sparkConf })).toBe(undefined);
  expect(await ask(
    { 'requests.storage': '1Gi' }, { sparkConf },
  )).toMatch(`; ask for less (spec.sparkConf[${claim}.options.sizeLimit]), or ask who`);
});

test('if not even one executor fits beside the driver, the remedy names both', async () => {
  const change = { driver: { cores: 2 }, executor: { instances: 2, cores: 2 } };
  expect(await ask({ cpu: '3' }, change)).toMatch(
    '; ask for less (spec.executor.cores, spec.executor.coreRequest, spec.driver.cores, spec.driver.coreRequest), or ask who',
  );
  expect(await ask({ cpu: '4' }, change)).toMatch(
    '; write at most 1, or ask for less (spec.executor.cores, spec.executor.coreRequest), or ask who',
  );
  expect(await ask({ 'requests.nvidia.com/gpu': '1' }, {
    executor: { gpu: { name: 'nvidia.com/gpu', quantity: 2 } },
  })).toMatch('; ask for less (spec.executor.gpu.quantity), or ask who');
});

test('too large for the quota, and too large until other applications end', async () => {
  expect(await ask({ 'requests.cpu': '2' }, { driver: { cores: 3 } })).toMatch(
    /^spec.driver needs more .*; ask for less \(spec.driver.cores, spec.driver.coreRequest\), or ask who looks after the quota for more$/,
  );
  expect(await ask(
    { 'requests.cpu': '20' }, { driver: { cores: 3 } }, { 'requests.cpu': '18' },
  )).toMatch(/; ask for less \(.*\), or try again when others have ended$/);
  expect(await ask({ 'requests.cpu': '20' }, { driver: { cores: 3 } }, { 'requests.cpu': '25' })).toMatch(/and 0 of 20 are left/);
});

test('a suspended application is not compared until it resumes', async () => {
  const ours = (suspend: boolean) => sparkApplication({ suspend, executor: { instances: 9 } });
  const validate = validatorOf('SparkApplication', under(quota({ pods: '5' })));
  expect(await validate(creation('SparkApplication', ours(true)))).toEqual({ allowed: true });
  expect(await validate(update('SparkApplication', ours(false), {
    ...ours(true), status: { applicationState: { state: 'SUSPENDED' } },
  }))).toMatchObject({ allowed: false, code: 403 });
});

/** An application that runs with three executors, in a namespace with room for it alone. */
const running = (state = 'RUNNING') => {
  const object = sparkApplication({ executor: { instances: 3 } });
  return {
    ...object, status: {
      specHash: specHash(object.spec), applicationState: { state }, executorState: {
        a: 'RUNNING', b: 'RUNNING', c: 'PENDING', d: 'FAILED', e: 'COMPLETED',
      },
    },
  };
};
const changed = (instances: number, more: object = {}) => sparkApplication({ executor: { instances }, ...more });
const full = under(quota({ pods: '4' }, { pods: '4' }));

test('a changed application is not counted twice, because its current pods end first', async () => {
  const validate = validatorOf('SparkApplication', full);
  expect(await validate(update('SparkApplication', changed(3, { arguments: ['x'] }), running()))).toEqual({ allowed: true });
  expect(await validate(update('SparkApplication', changed(2), running()))).toEqual({ allowed: true });
  expect(await validate(update('SparkApplication', changed(4), running()))).toMatchObject({
    allowed: false, message: expect.stringMatching(/need 5 of pods, and 4 of 4 are left; write at most 3/),
  });
});

test('even if the quota is exceeded already', async () => {
  const validate = validatorOf('SparkApplication', under(quota({ pods: '2' }, { pods: '4' })));
  expect(await validate(update('SparkApplication', changed(2), running()))).toEqual({ allowed: true });
  expect(await validate(update('SparkApplication', changed(4), running()))).toMatchObject({ allowed: false });
});

test('without executors in the status, the initial number of executors is released', async () => {
  const untold = (status: object) => ({ ...running(), status: { ...running().status, ...status } });
  const validate = validatorOf('SparkApplication', full);
  for (const status of [
    { executorState: {} }, { executorState: undefined }, { executorState: { d: 'FAILED', e: 'COMPLETED', f: 'RUNNING' } },
  ]) {
    expect(await validate(update('SparkApplication', changed(3, { arguments: ['x'] }), untold(status)))).toEqual({ allowed: true });
    expect(await validate(update('SparkApplication', changed(4), untold(status)))).toMatchObject({ allowed: false });
  }
});

test('an ended application counts in full if it runs again', async () => {
  const validate = validatorOf('SparkApplication', full);
  expect(await validate(
    update('SparkApplication', changed(3, { arguments: ['x'] }), running('COMPLETED')),
  )).toMatchObject({ allowed: false });
  expect(await validate(
    update('SparkApplication', changed(3, { timeToLiveSeconds: 60 }), running('COMPLETED')),
  )).toEqual({ allowed: true });
  expect(await validate(update('SparkApplication', changed(3, { timeToLiveSeconds: 60 }), running()))).toEqual({ allowed: true });
});

test('an application before its first submission counts in full', async () => {
  const validate = validatorOf('SparkApplication', full);
  expect(await validate(update('SparkApplication', changed(3), {
    ...changed(2), status: { driverInfo: {} },
  }))).toMatchObject({ allowed: false });
});

test('quotas that cannot be read or compared cause a warning, and refuse nothing', async () => {
  expect(await answerTo('SparkApplication', {}, { quotas: () => Promise.reject(new Error('forbidden')) })).toEqual({
    allowed: true, warnings: ['the ResourceQuotas of namespace jobs are not checked: forbidden'],
  });
  const gpus = { 'spark.executor.resource.gpu.vendor': 'nvidia.com', 'spark.executor.resource.gpu.amount': '${env:GPUS}' };
  for (const sparkConf of [{ 'spark.executor.memoryOverhead': '${env:MEMORY}' }, gpus]) {
    expect(await answerTo('SparkApplication', { sparkConf }, under(quota({ pods: '1' })))).toMatchObject({
      allowed: true, warnings: expect.arrayContaining([expect.stringMatching(/^the ResourceQuotas are not compared with/)]),
    });
  }
});

test('containers without required amounts cause a warning, because a LimitRange can add them', async () => {
  const { allowed, warnings } = await answerTo('SparkApplication', {
    driver: { coreLimit: '1' }, executor: {
      sidecars: [{ name: 'proxy', image: 'envoy' }],
    },
  }, under(quota({ 'limits.cpu': '10', 'requests.memory': '10Gi' })));
  expect(allowed).toBe(true);
  const rest = 'requires: unless a LimitRange gives it one, the API server rejects its pod; write';
  expect(warnings!.toSorted()).toEqual([
    `spec.executor: container proxy has no limits.cpu, which ResourceQuota jobs/team ${rest} resources.limits.cpu of that container`,
    `spec.executor: container proxy has no requests.memory, which ResourceQuota jobs/team ${rest} resources.requests.memory of that `
      + 'container',
    `spec.executor: container spark-kubernetes-executor has no limits.cpu, which ResourceQuota jobs/team ${rest} spec.executor.coreLimit`,
  ]);
});

test('a SparkConnect needs room for its server and its executors', async () => {
  const ofTwo = { server: { cores: 2 }, executor: { instances: 2, cores: 3, memory: '2g' } };
  expect(await answerTo('SparkConnect', ofTwo, under(quota({ 'requests.cpu': '8', 'pods': '3' })))).toEqual({ allowed: true });
  expect(await answerTo('SparkConnect', ofTwo, under(quota({ 'requests.cpu': '7' })))).toMatchObject({
    allowed: false, code: 403, message: expect.stringMatching(/the server and 2 executors need 8 of requests.cpu.*write at most 1/),
  });
  expect(await answerTo('SparkConnect', {}, under(quota({ pods: '2' })))).toMatchObject({
    allowed: false, message: expect.stringMatching(/need 3 of pods/),
  });
  expect(await answerTo('SparkConnect', { ...ofTwo, suspend: true }, under(quota({ pods: '0' })))).toEqual({ allowed: true });
  const stored = { ...connect(ofTwo), status: { state: 'Ready', server: { podName: 'notebooks-server' }, executors: { running: 2 } } };
  const grown = connect({ ...ofTwo, server: { cores: 3 } });
  const validate = (cpu: string) => validatorOf('SparkConnect', under(quota({ 'requests.cpu': cpu }, { 'requests.cpu': '8' })));
  expect(await validate('9')(update('SparkConnect', grown, stored))).toEqual({ allowed: true });
  expect(await validate('8')(update('SparkConnect', grown, stored))).toMatchObject({ allowed: false });
});

test('Spark uses the templates of a SparkConnect, apart from its own amounts', async () => {
  const container = {
    name: 'spark-kubernetes-driver', resources: {
      requests: { cpu: '8', memory: '32Gi' }, limits: { 'cpu': '9', 'memory': '32Gi', 'nvidia.com/gpu': 1 },
    },
  };
  const server = { cores: 2, template: { spec: { containers: [container, { name: 'proxy', resources: { requests: { cpu: '500m' } } }] } } };
  const of = (hard: object) => answerTo('SparkConnect', { server, executor: { instances: 1 } }, under(quota(hard)));
  expect((await of({
    'requests.cpu': '3500m', 'requests.memory': '2816Mi', 'limits.memory': '2816Mi', 'limits.cpu': '9',
    'requests.nvidia.com/gpu': '1',
  })).allowed).toBe(true);
  expect((await of({ 'requests.cpu': '3499m', 'limits.cpu': '8' })).message).toMatch(
    /need.* 3500m of requests.cpu[^]*need.* 9 of limits.cpu/,
  );
});

test('the sums match an independent calculation', async () => {
  const nano = (text: string) => parseQuantity(text)!;
  const upTo = (max: number, min = 1) => fc.integer({ min, max });
  await fc.assert(fc.asyncProperty(fc.record({
    driverCores: upTo(9), cores: upTo(9), instances: upTo(9), heap: upTo(20_000, 450), hard: upTo(90), used: upTo(90, 0), memory: upTo(200),
  }), async ({ driverCores, cores, instances, heap, hard, used, memory }) => {
    const limits = quota({ 'requests.cpu': String(hard), 'limits.memory': `${memory}Gi` }, { 'requests.cpu': String(used) });
    const { allowed } = await answerTo(
      'SparkApplication', { driver: { cores: driverCores }, executor: { cores, instances, memory: `${heap}m` } }, under(limits),
    );
    // A JVM needs an extra tenth of its heap, at least 384 MiB.
    const mebibytes = 1024 + 384 + instances * (heap + Math.max(384, Math.trunc(heap / 10)));
    expect(allowed).toBe(driverCores + instances * cores <= hard - used && nano(`${mebibytes}Mi`) <= nano(`${memory}Gi`));
  }), { numRuns: 100 });
});

test('a driver of spark-submit counts the same', async () => {
  const change = {
    metadata: { annotations: { 'sparkoperator.k8s.io/submission-mode': 'spark-submit' } }, driver: {
      cores: 3, memory: '4g',
      template: { spec: { containers: [{ name: 'spark' }, { name: 'a', resources: { limits: { cpu: '1' } } }] } },
    },
  };
  const of = (hard: object) => answerTo('SparkApplication', change, under(quota(hard)));
  // The driver's pod has 3 and 1, the executor's 1. The driver has 4096 and 409 MiB, the executor
  // 1408 MiB.
  expect(await of({ 'requests.cpu': '5', 'requests.memory': '5913Mi' })).toMatchObject({ allowed: true });
  expect(await of({ 'requests.cpu': '4' })).toMatchObject({ message: expect.stringContaining('need 5 of requests.cpu') });
  expect(await of({ 'requests.memory': '5912Mi' })).toMatchObject({ message: expect.stringContaining('need 5913Mi of requests.memory') });
});

test('quotas are not read if the check is off', () => {
  expect(world().quotas).toBe(undefined);
});
