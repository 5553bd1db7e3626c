/* The objects of a server. */
import fc from 'fast-check';
import type { WholeConnect } from '../../../src/model/spark-connect';
import { isError } from '../../../src/model/problem';
import { planServer } from '../../../src/plan/connect/plan';
import { planConnect } from '../../../src/plan/plan-connect';
import { SPEC } from '../../operator/kinds/spark-connect/operator';

const SETTINGS = { sparkUser: 'spark' };
const connect = (spec: object = {}, status: object = {}): WholeConnect => ({
  metadata: { name: 'nb', namespace: 'jobs', uid: 'connect', generation: 3, creationTimestamp: '2026-03-01T10:00:00Z' }, spec: { ...SPEC, ...spec }, status,
} as WholeConnect);
const planOf = (spec: object = {}, status: object = {}) => planServer(connect(spec, status), SETTINGS);
const containerOf = (spec: object = {}) => planOf(spec).driver.spec.containers.at(-1)!;

const ARGUMENTS = ['driver', '--properties-file', '/opt/spark/conf/spark.properties', '--class', 'org.apache.spark.sql.connect.service.SparkConnectServer', 'spark-internal'];

test('spark-submit\'s launcher starts the class by the entry point of the image, with a list of arguments that no value of a user is in', () => {
  expect(containerOf()).toMatchObject({ name: 'spark-kubernetes-driver', image: 'apache/spark:4.1.1', args: ARGUMENTS });
  expect(containerOf().command).toBeUndefined();
});

test('no value of a user reaches a shell: the arguments are the same, whatever is written', () => {
  const hostile = fc.oneof(fc.constantFrom('$(reboot)', '`id`', '"; rm -rf / #', '\'\n--class Evil', '-v', '${env:HOME}', '--conf spark.master=local'), fc.string());
  fc.assert(fc.property(hostile, hostile, (value, other) => {
    const { driver } = planOf({ sparkConf: { 'spark.x.y': value, [`spark.z.${other}`]: other }, hadoopConf: { 'fs.x': value }, server: { template: { metadata: { annotations: { a: other } } } } });
    expect(driver.spec.containers.map(({ command, args }) => ({ command, args }))).toEqual([{ command: undefined, args: ARGUMENTS }]);
    expect(driver.spec.containers[0]!.lifecycle).toBeUndefined();
  }), { numRuns: 50 });
});

test('the pod has the names and labels that clients and dashboards know, and those of its start and specification', () => {
  const { driver, resources } = planOf();
  expect(driver.metadata).toMatchObject({
    name: 'nb-server',
    namespace: 'jobs',
    labels: {
      'sparkoperator.k8s.io/connect-name': 'nb', 'sparkoperator.k8s.io/launched-by-spark-operator': 'true', 'sparkoperator.k8s.io/app-uid': 'connect',
      'sparkoperator.k8s.io/revision': expect.stringMatching(/^3-[0-9a-f]{16}$/), 'spark-role': 'connect-server', 'spark-version': '4.1.1',
    },
    ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1alpha1', kind: 'SparkConnect', name: 'nb', uid: 'connect', controller: true }],
  });
  // It would be taken for the driver of an application of that name.
  for (const { metadata } of [driver, ...resources]) expect(metadata.labels).not.toHaveProperty(['sparkoperator.k8s.io/app-name']);
});

test('what is made says of which specification it is', () => {
  const { driver, resources } = planOf();
  for (const { metadata } of resources) expect(metadata.labels).toMatchObject({ 'sparkoperator.k8s.io/revision': driver.metadata.labels!['sparkoperator.k8s.io/revision'] });
});

test.each([
  ['the template', { server: { template: { metadata: { labels: { 'sparkoperator.k8s.io/app-name': 'other' } } } } }],
  ['a property', { sparkConf: { 'spark.kubernetes.driver.label.sparkoperator.k8s.io/app-name': 'other' } }],
])('the server is no driver of an application, whatever %s says, and its Service finds it', (_, spec) => {
  const { driver, resources } = planOf(spec);
  expect(driver.metadata.labels).not.toHaveProperty(['sparkoperator.k8s.io/app-name']);
  expect(driver.metadata.labels).toMatchObject((resources.find(({ kind }) => kind === 'Service') as any).spec.selector);
});

test.each(['spark-role', 'spark-app-selector', 'sparkoperator.k8s.io/app-name'])('a label by which executors are known is rejected as a property: %s', (label) => {
  const errors = (name: string) => planConnect(connect({ sparkConf: { [`spark.kubernetes.executor.label.${name}`]: 'other' } }, {}), { submission: { mode: 'native', sparkUser: 'spark' } })
    .problems.filter(isError).map(({ path }) => path);
  expect(errors(label)).toEqual([`spec.sparkConf[spark.kubernetes.executor.label.${label}]`]);
  expect(errors(`${label}-of-mine`)).toEqual([]);
});

test('dynamicAllocation.enabled: false says nothing: with the property Spark allocates dynamically, from no executors on', () => {
  const { resources } = planOf({ dynamicAllocation: { enabled: false }, sparkConf: { 'spark.dynamicAllocation.enabled': 'true' } });
  const properties = (resources.find((resource) => resource.kind === 'ConfigMap' && resource.data['spark.properties'] !== undefined) as any).data['spark.properties'];
  expect(properties).toContain('spark.dynamicAllocation.enabled=true');
  expect(properties).not.toContain('spark.executor.instances');
});

test('executors reach the driver before it takes connections, and are found by their labels', () => {
  const { driver, resources } = planOf();
  const service: any = resources.find(({ kind }) => kind === 'Service');
  expect(service.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
  expect(driver.metadata.labels).toMatchObject(service.spec.selector);
  const properties = (resources.find((resource) => resource.kind === 'ConfigMap' && resource.data['spark.properties'] !== undefined) as any).data['spark.properties'].split('\n');
  const value = (key: string) => properties.find((line: string) => line.startsWith(`${key}=`))?.slice(key.length + 1);
  expect(value('spark.driver.host')).toBe(`${service.metadata.name}.jobs.svc`);
  expect(value('spark.executor.instances')).toBe('2');
  expect(value('spark.kubernetes.driver.pod.name')).toBe('nb-server');
  for (const label of ['connect-name', 'launched-by-spark-operator', 'app-uid', 'submission-id']) {
    expect(value(`spark.kubernetes.executor.label.sparkoperator.k8s.io/${label}`)).toBe(driver.metadata.labels![`sparkoperator.k8s.io/${label}`]);
  }
});

test('probes ask for the port of clients, unless the template has others', () => {
  expect(containerOf()).toMatchObject({ startupProbe: { tcpSocket: { port: 15002 } }, readinessProbe: { tcpSocket: { port: 15002 } } });
  const startupProbe = { exec: { command: ['true'] } };
  const template = { spec: { containers: [{ name: 'proxy', image: 'p' }, { name: 'spark-kubernetes-driver', startupProbe }] } };
  const { driver } = planOf({ server: { template } });
  expect(driver.spec.containers.map(({ name }) => name)).toEqual(['proxy', 'spark-kubernetes-driver']);
  expect(driver.spec.containers[1]).toMatchObject({ startupProbe, readinessProbe: { tcpSocket: { port: 15002 } } });
  expect(driver.spec.containers[0]).not.toHaveProperty('readinessProbe');
});

test('the same start is the same plan; another start has other names but that of the pod', () => {
  expect(planOf()).toEqual(planOf());
  const [first, second] = [planOf(), planOf({}, { lastTerminationTime: '2026-03-01T10:00:00Z', restarts: 1 })];
  expect(second.driver.metadata.name).toBe(first.driver.metadata.name);
  const names = ({ resources }: typeof first) => resources.map(({ metadata }) => metadata.name);
  for (const name of names(second)) expect(names(first)).not.toContain(name);
});

test.each([
  [{ sparkConf: { 'spark.jars': '/home/me/a.jar' } }, 'spark.jars'],
  [{ server: { memory: '1.5g' } }, 'spec.server.memory'],
])('what no server can be started with is refused, in the words of a SparkConnect: %j', (spec, words) => {
  let message = '';
  try {
    planOf(spec);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message.replace('spec.driver', 'spec.server')).toContain(words);
});
