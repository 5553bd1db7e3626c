import fc from 'fast-check';
import { cluster } from '../../../plan/defaults/layers';
import { answerTo, connect, creation, update, validatorOf } from './questions';

const taken = { allowed: true };
const validate = validatorOf('SparkConnect');

test('all mistakes are reported together', async () => {
  const { message } = await answerTo('SparkConnect', {
    metadata: { name: 'n'.repeat(57) }, image: undefined,
    sparkConf: { 'spark.driver.memory': '4Gi', 'spark.connect.grpc.binding.port': '1' },
    server: { template: { metadata: { labels: { team: 'a b' } } } },
  });
  expect(message!.split('\n  ').slice(1).map((line) => line.split(' ')[0])).toEqual([
    'metadata.name', 'spec.sparkConf[spark.connect.grpc.binding.port]', 'spec.image',
    'spec.sparkConf[spark.driver.memory]',
  ]);
});

test('the templates can contain the image, each in its Spark container', async () => {
  const template = (...names: string[]) => ({
    template: { spec: { containers: names.map((name) => ({ name, ...(name !== 'proxy' && { image: 'apache/spark:4.1.1' }) })) } },
  });
  const without = (server: object, executor: object) => answerTo('SparkConnect', { image: undefined, server, executor });

  expect(await without(template('spark'), template('spark-kubernetes-executor'))).toEqual(taken);
  expect(await without(template('proxy', 'spark-kubernetes-driver'), template('spark'))).toEqual(taken);
  expect(await without(template('proxy', 'spark'), template('spark'))).toMatchObject({ allowed: false });
  expect(await without(template('spark'), {})).toMatchObject({
    allowed: false, message: expect.stringContaining('spec.image is missing, and spec.executor.template.spec.containers[].image too'),
  });
});

test('limits apply as for applications, with the fields of a SparkConnect', async () => {
  const layers = {
    cluster: cluster({
      limits: 'driver: { maxCores: 1, maxMemory: 1g }\nallowedServiceAccounts: [spark]\nmaxRetries: 0\nmaxTimeToLiveSeconds: 60',
    }),
  };
  const { message } = await answerTo('SparkConnect', {
    server: { cores: 2 }, executor: {
      template: { spec: { containers: [], serviceAccountName: 'spark' } },
    },
  }, { layers });
  expect(message!.split('\n  ').slice(1).map((line) => line.split(' ')[0])).toEqual([
    'spec.server.cores', 'spec.server.memory', 'spec.server.template.spec.serviceAccountName',
  ]);
});

test('settings that need spark-submit are refused, because it starts no server', async () => {
  expect(await answerTo('SparkConnect', { sparkConf: { 'spark.kubernetes.context': 'mine' } })).toMatchObject({
    allowed: false, message: expect.stringContaining('sparkConf[spark.kubernetes.context]'),
  });
});

test('a stored SparkConnect is not checked, and can be suspended and resumed', async () => {
  const wrong = (more: object = {}) => connect({ image: undefined, ...more });
  expect(await validate(creation('SparkConnect', wrong()))).toMatchObject({ allowed: false });
  expect(await validate(update('SparkConnect', {
    ...wrong(), metadata: {
      ...wrong().metadata, labels: { a: 'b' },
    },
  }, wrong()))).toEqual(taken);
  expect(await validate(update('SparkConnect', wrong({ suspend: true }), wrong()))).toEqual(taken);
  expect(await validate(update('SparkConnect', wrong(), wrong({ suspend: true })))).toEqual(taken);
  // The image is still missing, but the edit does not concern it.
  expect(await validate(update('SparkConnect', wrong({ server: { cores: 2 } }), wrong()))).toMatchObject({ allowed: false });
  expect(await validate(creation('SparkConnect', wrong(), { namespace: 'elsewhere' }))).toEqual(taken);
});

test.each([undefined, null, 'x', []])('an edit of an object stored with the specification %j is checked as a new object', async (spec) => {
  const stored = { ...connect(), spec };
  expect(await validate(update('SparkConnect', connect(), stored))).toEqual(taken);
  expect(await validate(update('SparkConnect', connect({ image: undefined }), stored))).toMatchObject({
    allowed: false, message: expect.stringContaining('image'),
  });
  expect(await validate(update('SparkConnect', {
    ...stored, metadata: {
      ...stored.metadata, labels: { a: 'b' },
    },
  }, stored))).toEqual(taken);
  expect(await validate(update('SparkConnect', stored, connect()))).toMatchObject({
    allowed: false, message: expect.stringMatching(/^spec /),
  });
});

test('without executors a server starts only with dynamic allocation, set in any place', async () => {
  const refused = (field: string) => ({ allowed: false, message: expect.stringContaining(field) });
  const none = { executor: { instances: 0 } };
  expect(await answerTo('SparkConnect', none)).toEqual({
    allowed: false, code: 422,
    message: 'spec.executor.instances = "0" is too few without dynamic allocation; write 1 or more, or set spec.dynamicAllocation.enabled: true',
  });
  expect(await answerTo('SparkConnect', {
    ...none, dynamicAllocation: { enabled: false },
  })).toMatchObject(refused('spec.executor.instances'));
  expect(await answerTo('SparkConnect', {
    sparkConf: { 'spark.executor.instances': '0' },
  })).toMatchObject(refused('spec.sparkConf[spark.executor.instances] = "0" is too few without dynamic allocation'));
  expect(await answerTo('SparkConnect', { ...none, dynamicAllocation: { enabled: true } })).toEqual(taken);
  expect(await answerTo('SparkConnect', { ...none, sparkConf: { 'spark.dynamicAllocation.enabled': 'TRUE' } })).toEqual(taken);
});

test('settings without an effect are reported', async () => {
  expect(await answerTo('SparkConnect', {
    sparkConf: { 'sql.a': 'b', 'spark.executor.memory': '2g' }, executor: { memory: '1g', template: { spec: { container: [] } } },
  })).toEqual({
    allowed: true,
    warnings: expect.arrayContaining([
      'spec.executor.template.spec.container has no effect: it is not a field; did you mean containers?',
      'spec.sparkConf[sql.a] has no effect: Spark only takes properties that start with spark.',
      'spec.sparkConf[spark.executor.memory] is overridden by spec.executor.memory',
    ]),
  });
});

/** Texts that a shell, a terminal or a log would interpret. */
const HOSTILE = [
  '$(id)', '`id`', '; rm -rf /', "' || true '", '"; exit 1; "', '\n--conf spark.master=local', '\u001b[2J\u001b[31m', '${env:HOME}',
  '\\', '\0', '../../etc/passwd', '%s%n', '\u202eevil', '', ' ', '-',
];

/** Returns an object with such texts in every field. */
const hostile = (text: string) => connect({
  metadata: { name: text, labels: { [text]: text } },
  sparkVersion: text, image: text,
  sparkConf: { [text]: text, [`spark.${text}`]: text, 'spark.driver.extraJavaOptions': text, 'spark.executor.extraClassPath': text },
  hadoopConf: { [text]: text },
  server: {
    memory: text,
    template: {
      metadata: { labels: { [text]: text }, namespace: text },
      spec: { serviceAccountName: text, containers: [{ name: text, image: text, command: [text], env: [{ name: text, value: text }] }] },
    },
    service: { metadata: { name: text, annotations: { [text]: text } }, spec: { type: text, externalName: text } },
  },
  executor: { memory: text, template: { spec: { nodeSelector: { [text]: text }, containers: [{ name: text }] } } },
  sparkUIOptions: { servicePortName: text, serviceLabels: { [text]: text }, ingressAnnotations: { [text]: text } },
  restartPolicy: { type: text },
});

test.each(HOSTILE)('%j in every field gets an answer without control characters', async (text) => {
  const { allowed, message, warnings = [] } = await validate(creation('SparkConnect', hostile(text)));
  expect(allowed).toBe(false);
  for (const line of [...message!.split('\n  '), ...warnings]) {
    expect(line).not.toMatch(/[\0-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  }
});

test('any text in any field gets an answer', async () => {
  const paths: (readonly string[])[] = [];
  const walk = (value: any, path: readonly string[]) => (typeof value === 'string'
    ? paths.push(path)
    : Object.entries(value).forEach(([name, inner]) => walk(inner, [...path, name])));
  walk(hostile('x').spec, []);
  expect(paths.length).toBeGreaterThan(25);
  const put = (value: any, [name, ...rest]: readonly string[], text: unknown): any => {
    if (rest.length === 0) return { ...value, [name!]: text };
    if (Array.isArray(value)) return value.map((item, index) => (String(index) === name ? put(item, rest, text) : item));
    return { ...value, [name!]: put(value[name!], rest, text) };
  };
  const base = connect({
    ...hostile('x').spec, restartPolicy: { type: 'Always' }, server: {
      ...hostile('x').spec.server, memory: '1g', template: {
        metadata: { labels: {} }, spec: { containers: [{ name: 'a', command: [], env: [{ name: 'b' }] }] },
      },
    }, executor: { ...hostile('x').spec.executor, memory: '1g' },
  });
  await fc.assert(fc.asyncProperty(fc.constantFrom(...paths), fc.oneof(
    fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE), fc.integer(), fc.constant(null),
  ), async (path, text) => {
    const answer = await validate(creation('SparkConnect', { ...base, spec: put(base.spec, path, text) }));
    expect(typeof answer.allowed).toBe('boolean');
  }), { numRuns: 300 });
});

test('JVM options and ephemeral containers that prevent the start of a server, each reported once', async () => {
  const ephemeralContainers = [{ name: 'debug', image: 'busybox' }];
  expect((await answerTo('SparkConnect', { server: { template: { spec: { ephemeralContainers } } } })).message).toBe(
    'spec.server.template.spec.ephemeralContainers is rejected by Kubernetes in a new Pod: write it as a sidecar, in containers',
  );
  expect((await answerTo('SparkConnect', { sparkConf: { 'spark.executor.defaultJavaOptions': '-Dspark.x=1' } })).message).toBe(
    'spec.sparkConf[spark.executor.defaultJavaOptions] = "-Dspark.x" must not have properties of Spark, which Spark rejects; write them in sparkConf',
  );
});
