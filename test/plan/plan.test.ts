import { application, CONTEXT, planOf } from './application';

const OWNER = {
  apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'uid-1', controller: true,
};

test('all objects are in the namespace, owned by the application, and carry the labels of this submission', () => {
  const { driver, service, configMap } = planOf(application(), CONTEXT);

  for (const { metadata } of [driver, service, configMap]) {
    expect(metadata).toMatchObject({
      namespace: 'jobs',
      ownerReferences: [OWNER],
      labels: {
        'sparkoperator.k8s.io/app-name': 'pi',
        'sparkoperator.k8s.io/launched-by-spark-operator': 'true',
        'sparkoperator.k8s.io/submission-id': CONTEXT.submissionID,
        'sparkoperator.k8s.io/app-uid': 'uid-1',
        'sparkoperator.k8s.io/attempt': '1',
      },
    });
  }
});

test('the objects refer to each other', () => {
  const { driver, service, configMap } = planOf(application(), CONTEXT);

  expect(driver.metadata.name).toBe('pi-driver');
  expect(driver.metadata.labels).toMatchObject(service.spec.selector);
  expect(driver.metadata.labels!['spark-app-selector']).toBe(`spark-${CONTEXT.submissionID.replaceAll('-', '')}`);
  expect(driver.spec.volumes!.at(-1)!.configMap!.name).toBe(configMap.metadata.name);
  expect(configMap.data['spark.properties']).toContain(`\nspark.driver.host=${service.metadata.name}.jobs.svc\n`);
});

test('the driver does not get variables for every Service of the namespace', () => {
  expect(planOf(application(), CONTEXT).driver.spec.enableServiceLinks).toBe(false);
});

test('the user is the caller\'s choice', () => {
  const { driver } = planOf(application(), { ...CONTEXT, sparkUser: 'etl' });

  expect(driver.spec.containers[0]!.env).toContainEqual({ name: 'SPARK_USER', value: 'etl' });
});

test('a repeated plan is the same, byte for byte, in whatever order maps are written', () => {
  const conf = { 'spark.b': '2', 'spark.a': '1' };
  const labels = { y: '2', x: '1' };
  const reversed = <T>(map: { [key: string]: T }) => Object.fromEntries(Object.entries(map).reverse());
  const variables = { B: '', A: '' };

  const once = planOf(application({ labels, spec: { sparkConf: conf }, driver: { envVars: variables } }), CONTEXT);
  const again = planOf(
    application({ labels: reversed(labels), spec: { sparkConf: reversed(conf) }, driver: { envVars: reversed(variables) } }), CONTEXT,
  );

  expect(JSON.stringify(again)).toBe(JSON.stringify(once));
});

test('planning changes nothing of the application', () => {
  const given = application({ spec: { sparkConf: { 'spark.a': '1' }, deps: { jars: ['https://r/a.jar'] } }, labels: { a: 'b' } });
  const before = structuredClone(given);

  planOf(given, CONTEXT);

  expect(given).toEqual(before);
});

test('each attempt, submission and application has a Service and a ConfigMap of its own; the Pod\'s name stays', () => {
  const plans = [
    planOf(application(), CONTEXT),
    planOf(application(), { ...CONTEXT, attempt: 2 }),
    planOf(application(), { ...CONTEXT, submissionID: 'ffffffff-6d0c-4f0e-9d54-0a4f1f6f4f11' }),
    planOf(application({ uid: 'uid-2' }), CONTEXT),
  ];

  expect(new Set(plans.map(plan => plan.service.metadata.name)).size).toBe(4);
  expect(new Set(plans.map(plan => plan.configMap.metadata.name)).size).toBe(4);
  expect(new Set(plans.map(plan => plan.driver.metadata.name))).toEqual(new Set(['pi-driver']));
});
