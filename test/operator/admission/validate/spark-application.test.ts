import { cluster, namespace } from '../../../plan/defaults/layers';
import { answerTo, creation, sparkApplication, update, validatorOf } from './questions';

const WRONG = { mainClass: undefined };
const taken = { allowed: true };
const validate = validatorOf('SparkApplication');
const linesOf = (message: string | undefined) => message!.split('\n').map((line) => line.trim());

test('other namespaces, deletions, subresources and other operations are not checked', async () => {
  const wrong = sparkApplication(WRONG);
  expect(await validate(creation('SparkApplication', wrong))).toMatchObject({ allowed: false });

  expect(await validate(creation('SparkApplication', wrong, { namespace: 'kube-system' }))).toEqual(taken);
  expect(await validate(update('SparkApplication', wrong, sparkApplication(), { subResource: 'status' }))).toEqual(taken);
  expect(await validate(update('SparkApplication', sparkApplication({
    ...WRONG, metadata: { deletionTimestamp: '2026-11-22T00:00:00Z' },
  }), sparkApplication()))).toEqual(taken);
  expect(await validate(creation('SparkApplication', wrong, { operation: 'DELETE', object: undefined, oldObject: wrong }))).toEqual(taken);
});

test('a stored application can get labels, annotations and finalizers, even if it is invalid by now', async () => {
  const stored = sparkApplication(WRONG);
  const { sparkVersion, ...others } = stored.spec;
  expect(await validate(update('SparkApplication', {
    metadata: {
      ...stored.metadata, labels: { a: 'b' }, finalizers: [],
    }, spec: { ...others, sparkVersion },
  }, stored))).toEqual(taken);
});

test('a stored application can be suspended and resumed, even under newer limits', async () => {
  const layers = { cluster: cluster({ limits: 'maxExecutors: 1' }) };
  const many = (suspend?: boolean) => sparkApplication({ executor: { instances: 9 }, ...(suspend !== undefined && { suspend }) });
  const ask = validatorOf('SparkApplication', { layers });

  expect(await ask(update('SparkApplication', many(true), many()))).toEqual(taken);
  expect(await ask(update('SparkApplication', many(false), many(true)))).toEqual(taken);
  expect(await ask(update('SparkApplication', sparkApplication({ executor: { instances: 8 } }), many()))).toMatchObject({
    allowed: false, message: expect.stringMatching(/^spec.executor.instances = "8" /),
  });
  expect(await ask(creation('SparkApplication', many(true)))).toMatchObject({ allowed: false });
});

test('an unknown submission mode is refused, even with an unchanged specification', async () => {
  const mode = (value: string) => sparkApplication({ metadata: { annotations: { 'sparkoperator.k8s.io/submission-mode': value } } });
  expect(await validate(update('SparkApplication', mode('fast'), mode('auto')))).toMatchObject({
    allowed: false, message: expect.stringContaining('write auto, native, spark-submit'),
  });
  expect(await validate(update('SparkApplication', mode('native'), mode('auto')))).toEqual(taken);
  expect(await validate(update('SparkApplication', mode('fast'), mode('fast')))).toEqual(taken);
});

test('all mistakes are reported together, each once', async () => {
  const { message, code } = await answerTo('SparkApplication', {
    mainClass: undefined,
    sparkConf: {
      'spark.kubernetes.namespace': 'other', 'spark.driver.memory': '4Gi', 'spark.executor.memory': 'lots',
      'spark.driver.port': '0',
    },
    driver: { labels: { team: 'a b' }, coreRequest: '2', coreLimit: '1' },
  });

  expect(code).toBe(422);
  expect(linesOf(message).slice(1).map((line) => line.split(' ')[0]).sort()).toEqual([
    'spec.driver.coreLimit', 'spec.driver.labels[team]', 'spec.mainClass', 'spec.sparkConf[spark.driver.memory]',
    'spec.sparkConf[spark.driver.port]', 'spec.sparkConf[spark.executor.memory]',
    'spec.sparkConf[spark.kubernetes.namespace]',
  ]);
  expect(linesOf(message)[0]).toBe('there are 7 mistakes:');
});

test('the length of a message is limited', async () => {
  const volumes = Array.from({ length: 250 }, (_, index) => ({ name: `A B ${index}`, emptyDir: {} }));
  const { message } = await answerTo('SparkApplication', { volumes });
  expect(message!.length).toBeLessThanOrEqual(2_000);
  expect(message).toMatch(/^there are many mistakes:\n[^]*\n {2}and more$/);
});

test('secrets are not repeated', async () => {
  const { message, warnings } = await answerTo('SparkApplication', {
    sparkConf: {
      'spark.kubernetes.driverEnv.A=B': 'hunter2', 'spark.hadoop.fs.s3a.secret.key': 'hunter2',
      'spark.kubernetes.context': 'https://me:hunter2@example.org', 'password': 'hunter2',
    },
    driver: { envVars: { 'DB PASSWORD=': 'hunter2' }, env: [{ name: 'A=B', value: 'hunter2' }] },
    hadoopConf: { 'fs.s3a.secret.key': 'hunter3' },
  });
  expect(message).toMatch(/driverEnv/);
  expect(JSON.stringify([message, warnings])).not.toMatch(/hunter/);
});

test('a setting without an effect is reported and accepted', async () => {
  expect(await answerTo('SparkApplication', {
    mode: 'client', sparkConf: {
      'sql.shuffle.partitions': '2', 'spark.executor.memory': '2g',
    }, executor: { memory: '4g', template: { spec: { container: [] } } },
  })).toEqual({
    allowed: true,
    warnings: expect.arrayContaining([
      expect.stringMatching(/^spec.mode has no effect: /),
      'spec.sparkConf[sql.shuffle.partitions] has no effect: Spark only takes properties that start with spark.',
      'spec.sparkConf[spark.executor.memory] is overridden by spec.executor.memory',
      'spec.executor.template.spec.container has no effect: it is not a field; did you mean containers?',
    ]),
  });
});

test('of an edit that runs nothing, only the time to live is checked', async () => {
  const layers = { cluster: cluster({ limits: 'maxExecutors: 1\nmaxTimeToLiveSeconds: 3600' }) };
  const stored = (more: object = {}) => sparkApplication({ executor: { instances: 5 }, ...more });
  const editTo = (now: object, before: object = {}, world: object = { layers }) => validatorOf('SparkApplication', world)(
    update('SparkApplication', stored(now), stored(before)),
  );
  expect(await editTo({ timeToLiveSeconds: 60 })).toEqual(taken);
  expect(await editTo({ timeToLiveSeconds: 60, suspend: true })).toEqual(taken);
  expect(await editTo({ timeToLiveSeconds: 60 }, { timeToLiveSeconds: 7200, suspend: true })).toEqual(taken);
  expect(await editTo({}, { timeToLiveSeconds: 7200 })).toEqual(taken);
  expect(await editTo({ timeToLiveSeconds: 7200, suspend: true }, { timeToLiveSeconds: 7200 })).toEqual(taken);
  expect(await editTo({ timeToLiveSeconds: 7200 })).toEqual({
    allowed: false, code: 422,
    message: expect.stringMatching(/^spec.timeToLiveSeconds = "7200" is more than .*maxTimeToLiveSeconds: 3600/),
  });
  expect(await editTo({ timeToLiveSeconds: 60, arguments: ['x'] })).toMatchObject({
    allowed: false, message: expect.stringMatching(/^spec.executor.instances = "5" /),
  });
});

test('a resumed application needs room, even if its other edits run nothing', async () => {
  const quotas = () => Promise.resolve([{ metadata: { namespace: 'jobs', name: 'team' }, spec: { hard: { pods: '1' } } }] as any);
  const held = { ...sparkApplication({ suspend: true }), status: { applicationState: { state: 'SUSPENDED' } } };
  expect(await validatorOf('SparkApplication', { quotas })(
    update('SparkApplication', sparkApplication({ timeToLiveSeconds: 60 }), held),
  )).toMatchObject({ allowed: false, code: 403 });
});

test('the number of warnings is limited', async () => {
  const { warnings } = await answerTo('SparkApplication', {
    sparkConf: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`typo${index}`, 'x'])),
  });
  expect(warnings).toHaveLength(13);
  expect(warnings!.at(-1)).toBe('and 28 more');
});

test('an application is checked with the defaults of cluster and namespace', async () => {
  const layers = {
    cluster: cluster({ defaults: 'image: apache/spark:4.1.1' }), namespace: namespace({ enforced: 'driver: { coreLimit: 500m }' }),
  };
  expect(await answerTo('SparkApplication', { image: undefined, driver: { coreRequest: '100m' } }, { layers })).toEqual(taken);
  expect(await answerTo('SparkApplication', { image: undefined, driver: { coreRequest: '2' } }, { layers })).toEqual({
    allowed: false,
    code: 422,
    message: 'spec.driver.coreLimit = "500m" is less than what the pod requests, spec.driver.coreRequest = 2; raise it, or lower spec.driver.coreRequest',
    warnings: [
      'spec is checked together with the fields of ConfigMap spark-operator/spark-operator-defaults and jobs/spark-operator-defaults',
    ],
  });
});

test.each([
  ['4.0.4', 'apache/spark:4.0.4'], ['v3.5.8', 'apache/spark:3.5.8'], ['4.2.0-preview3', 'apache/spark:4.2.0-preview3'],
  ['4.0.2-amzn-1', 'apache/spark:4.0.2'], ['4.3', 'one of Spark 4.3'], ['newest', 'one of your version of Spark'],
])('an application of Spark %s without an image is accepted with a warning that suggests %s, and checked otherwise', async (version, image) => {
  const without = { image: undefined, sparkVersion: version };
  const { allowed, warnings } = await answerTo('SparkApplication', without);
  expect({ allowed, warnings: warnings?.filter((each) => each.startsWith('spec.image')) }).toEqual({
    allowed: true, warnings: [
      `spec.image is missing, and spec.executor.image too; name the image of driver and executors, such as ${image}, `
      + 'unless defaults supply one before the submission, which fails otherwise',
    ],
  });
  expect(await answerTo('SparkApplication', { ...without, driver: { coreLimit: '1', coreRequest: '2' } })).toMatchObject({ allowed: false });
  const layers = { cluster: cluster({ limits: 'allowedImages: [apache/*]\nmaxExecutors: 1' }) };
  expect(await answerTo('SparkApplication', without, { layers })).toMatchObject({ allowed: true });
  expect(await answerTo('SparkApplication', { ...without, executor: { instances: 2 } }, { layers })).toMatchObject({
    allowed: false, message: expect.stringMatching(/^spec.executor.instances = "2" [^\n]*$/),
  });
});

test('with unknown defaults an application is accepted, because they might complete it; but not one for another cluster', async () => {
  const unusable = 'ConfigMap jobs/spark-operator-defaults cannot be used: defaults.yaml: is not YAML';
  expect(await answerTo('SparkApplication', { image: undefined }, { unusable })).toEqual({
    allowed: true, warnings: [`spec is not checked, and the application waits: ${unusable}`],
  });
  expect(await answerTo(
    'SparkApplication', { sparkConf: { 'spark.kubernetes.namespace': 'other' } }, { unusable },
  )).toMatchObject({ allowed: false });
});

test('an application that cannot be submitted natively is accepted if spark-submit can submit it', async () => {
  const jar = (changes: object) => answerTo('SparkApplication', { deps: { packages: ['org.example:a:1'] }, mainClass: undefined, type: 'Java', ...changes });
  expect(await jar({ mainApplicationFile: 's3a://bucket/app.jar' })).toEqual(taken);
  expect(await jar({ mainApplicationFile: 'local:///app.jar' })).toMatchObject({
    allowed: false, message: expect.stringContaining('spec.mainClass is missing, and spark-submit does not open a local: jar'),
  });
});

test('violations of the rules of the API server are refused, unless they are older than the rule', async () => {
  const tooMany = (more: object = {}) => sparkApplication({ driver: { memory: '1.5g', ...more } });
  const answer = {
    allowed: false, code: 422,
    message: 'spec.driver.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi',
  };
  expect(await validate(creation('SparkApplication', tooMany()))).toEqual(answer);
  // It still could not be submitted.
  expect(await validate(update('SparkApplication', tooMany({ cores: 2 }), tooMany()))).toMatchObject({
    allowed: false, message: expect.stringMatching(/^spec.driver.memory = "1.5g" is not a size/),
  });
  const odd = { nodeSelector: { a: 'b' }, executor: { nodeSelector: { c: 'd' } } };
  expect(await validate(
    update('SparkApplication', sparkApplication({ ...odd, driver: { cores: 2 } }), sparkApplication(odd)),
  )).toEqual(taken);
});

test.each<[string, any]>([
  ['no specification', { metadata: { name: 'pi' } }], ['null', { metadata: { name: 'pi' }, spec: null }],
  ['a list', { metadata: { name: 'pi' }, spec: [] }], ['nothing in it', { metadata: { name: 'pi' }, spec: {} }],
  ['no metadata', { spec: { driver: 3 } }],
  ['numbers for objects', { metadata: 3, spec: { ...sparkApplication().spec, driver: 3, executor: 'x', sparkConf: [] } }],
  ['null in lists', {
    metadata: { name: 'pi' }, spec: {
      ...sparkApplication().spec, volumes: [null], driver: { template: { metadata: null, spec: { containers: [null] } } },
    },
  }],
  ['numbers for texts', {
    metadata: { name: 7, labels: { a: 7 }, annotations: 3 }, spec: sparkApplication({ sparkConf: { 'spark.a': 7 } }).spec,
  }],
])('an invalid object: %s', async (_, object) => {
  expect(await validate(creation('SparkApplication', object))).toMatchObject({ allowed: false, code: 422 });
});

test('a generated name, and one that is too long', async () => {
  expect(await validate(creation('SparkApplication', { ...sparkApplication(), metadata: { generateName: 'pi-' } }))).toEqual(taken);
  expect(await answerTo('SparkApplication', { metadata: { name: 'a'.repeat(64) } })).toMatchObject({
    allowed: false, message: expect.stringMatching(/^metadata.name .*choose a shorter name/),
  });
});

test('too many labels for driver and executors', async () => {
  const labels = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`label-${index}`, 'a'.repeat(60)]));
  expect(await answerTo('SparkApplication', { metadata: { labels } })).toMatchObject({
    allowed: false, message: expect.stringMatching(/^metadata\.labels must have at most 64 KiB as JSON/),
  });
});

test('an application whose pods would be too large for the webhook is refused', async () => {
  // The pod is larger than the specification. The API server lists its fields in managedFields, and
  // writes < with six bytes.
  const large = { driver: { env: Array.from({ length: 2_000 }, (_, index) => ({ name: `LONG_${index}`, value: '<'.repeat(50) })) } };
  expect(await answerTo('SparkApplication', { ...large, executor: { memoryLimit: '6g' } })).toMatchObject({
    allowed: false, message: expect.stringMatching(/^spec\.driver makes a pod of \d+ KiB/),
  });
  expect(await answerTo('SparkApplication', large)).toMatchObject({ allowed: true });
});
