import { parse } from 'yaml';
import { captured, golden, madeUp, propertiesOf } from './captured';
import type { Captured } from './captured';
import type { ConfigMap } from '../../src/model/kubernetes-objects';
import { buildSubmission } from '../../src/plan/native/build';
import type { BuiltSubmission } from '../../src/plan/native/build';
import type { DriverConfInput } from '../../src/plan/native/driver-conf';
import { SparkProperties } from '../../src/plan/properties/spark-conf';
import { parseSparkVersion } from '../../src/plan/versions';

/**
 * The native build against what real spark-submit sent: all objects, in their order. The build gets
 * the properties that spark-submit got, and the ids, names and times that spark-submit made up,
 * read from its requests.
 */

/** The input of spark-submit in a case. */
interface Scenario extends Pick<DriverConfInput, 'namespace' | 'application' | 'driverTemplate' | 'executorTemplate'> {
  readonly conf: { readonly [key: string]: string };
}

const JAR = { type: 'java', mainClass: 'org.apache.spark.examples.SparkPi', resource: 'local:///opt/spark/examples/jars/spark-examples.jar' } as const;
const VOLUMES = 'spark.kubernetes.driver.volumes';

const SCENARIOS: { readonly [name: string]: Scenario } = {
  min: { namespace: 'default', conf: {}, application: { ...JAR, arguments: ['1000'] } },
  py: {
    namespace: 'jobs',
    conf: {
      'spark.kubernetes.namespace': 'jobs',
      'spark.submit.pyFiles': 'local:///a.zip,https://r/b.zip',
      'spark.pyspark.python': '/usr/bin/python3',
      'spark.driver.memory': '4g',
    },
    application: { type: 'python', mainClass: 'org.apache.spark.examples.SparkPi', resource: 'local:///opt/app.py', arguments: ['1', '2'] },
  },
  tmpl: {
    namespace: 'jobs',
    conf: {
      'spark.kubernetes.namespace': 'jobs',
      'spark.kubernetes.driver.pod.name': 'my-driver',
      'spark.kubernetes.driver.podTemplateFile': '/templates/driver.yaml',
      'spark.kubernetes.driver.podTemplateContainerName': 'main',
    },
    application: { ...JAR, arguments: [] },
    driverTemplate: parse(golden('templates', 'driver.yaml')),
  },
  full: {
    namespace: 'jobs',
    conf: {
      'spark.kubernetes.namespace': 'jobs',
      'spark.driver.memory': '2g',
      'spark.driver.cores': '2',
      'spark.executor.memory': '3g',
      'spark.executor.cores': '4',
      'spark.executor.instances': '5',
      'spark.kubernetes.driver.limit.cores': '3',
      'spark.kubernetes.driver.request.cores': '500m',
      'spark.kubernetes.driver.label.foo': 'bar',
      'spark.kubernetes.driver.label.app': '{{APP_ID}}',
      'spark.kubernetes.driver.annotation.my/anno': 'v-{{APP_ID}}-{{EXECUTOR_ID}}',
      'spark.kubernetes.driver.service.label.svcl': '1',
      'spark.kubernetes.driver.service.annotation.svca': '2',
      'spark.kubernetes.driver.service.ipFamilyPolicy': 'PreferDualStack',
      'spark.kubernetes.driver.service.ipFamilies': 'IPv4,IPv6',
      'spark.kubernetes.driverEnv.E1': 'v1',
      'spark.kubernetes.driverEnv.E2': '',
      'spark.kubernetes.driver.secrets.sec1': '/etc/sec1',
      'spark.kubernetes.driver.secretKeyRef.SK': 'sec2:key2',
      [`${VOLUMES}.persistentVolumeClaim.data.mount.path`]: '/data',
      [`${VOLUMES}.persistentVolumeClaim.data.options.claimName`]: 'OnDemand',
      [`${VOLUMES}.persistentVolumeClaim.data.options.storageClass`]: 'gp3',
      [`${VOLUMES}.persistentVolumeClaim.data.options.sizeLimit`]: '10Gi',
      [`${VOLUMES}.persistentVolumeClaim.data.label.l1`]: 'x',
      [`${VOLUMES}.hostPath.hp.mount.path`]: '/hp',
      [`${VOLUMES}.hostPath.hp.mount.readOnly`]: 'true',
      [`${VOLUMES}.hostPath.hp.options.path`]: '/mnt/hp',
      [`${VOLUMES}.emptyDir.ed.mount.path`]: '/ed',
      [`${VOLUMES}.emptyDir.ed.options.sizeLimit`]: '1Gi',
      [`${VOLUMES}.emptyDir.ed.options.medium`]: 'Memory',
      [`${VOLUMES}.nfs.n.mount.path`]: '/n',
      [`${VOLUMES}.nfs.n.mount.subPath`]: 'sp',
      [`${VOLUMES}.nfs.n.options.path`]: '/exp',
      [`${VOLUMES}.nfs.n.options.server`]: 'nfs.x',
      'spark.kubernetes.node.selector.disk': 'ssd',
      'spark.kubernetes.driver.node.selector.zone': 'a',
      'spark.kubernetes.container.image.pullSecrets': 'ps1,ps2',
      'spark.kubernetes.authenticate.driver.serviceAccountName': 'spark-sa',
      'spark.kubernetes.driver.scheduler.name': 'volcano',
      'spark.driver.resource.gpu.amount': '1',
      'spark.driver.resource.gpu.vendor': 'nvidia.com',
      'spark.driver.resource.gpu.discoveryScript': '/x.sh',
      'spark.local.dir': '/l1,/l2',
      'spark.kubernetes.local.dirs.tmpfs': 'true',
      'spark.ui.port': '4141',
      'spark.driver.port': '7001',
      'spark.kubernetes.hadoop.configMapName': 'hadoop-cm',
      'spark.driver.extraJavaOptions': '-Dx=y z=é#!:',
      'spark.jars': 'https://r/x.jar,local:///y.jar',
      'spark.files': 'https://r/f.txt',
      'spark.archives': 'https://r/a.zip#aa',
    },
    application: { ...JAR, arguments: ['a', 'b c', '--x=1'], proxyUser: 'bob' },
    executorTemplate: golden('templates', 'exec.yaml'),
  },
};

const CASES = [
  ['3.5.8', 'min'], ['4.0.2', 'min'], ['4.1.1', 'min'], ['4.2.1', 'min'], ['4.3.0', 'min'],
  ['3.5.8', 'py'], ['4.0.2', 'py'], ['4.1.1', 'py'], ['4.2.1', 'py'], ['4.3.0', 'py'],
  ['3.5.8', 'tmpl'], ['4.0.2', 'tmpl'], ['4.1.1', 'tmpl'],
  ['3.5.8', 'full'], ['4.0.2', 'full'], ['4.1.1', 'full'], ['4.2.1', 'full'], ['4.3.0', 'full'],
] as const;

function buildAsCaptured(version: string, scenario: string, original: Captured): BuiltSubmission {
  const { conf, ...input } = SCENARIOS[scenario]!;
  const { master, ...given } = madeUp(original);
  return buildSubmission({
    ...given,
    ...input,
    version: parseSparkVersion(version),
    properties: SparkProperties.of({
      'spark.master': master,
      'spark.app.name': 'spark-pi',
      'spark.kubernetes.container.image': `apache/spark:${version}`,
      'spark.kubernetes.submission.waitAppCompletion': 'false',
      ...conf,
    }),
  });
}

describe.each(CASES)('Spark %s, %s', (version, scenario) => {
  const original = inStableOrder(captured(version, scenario), scenario);
  const built = inStableOrder(withResources(buildAsCaptured(version, scenario, captured(version, scenario))), scenario);

  test('the driver Pod is spark-submit\'s, without exception', () => {
    expect(built.pod).toStrictEqual(original.pod);
  });

  test('the other objects are spark-submit\'s, in their order, except for their owner', () => {
    // Deviation "owner": spark-submit makes the Pod the owner; here the SparkApplication is
    // (ownership.ts), as the Pod comes last.
    for (const { metadata } of original.resources) {
      expect(metadata.ownerReferences).toMatchObject([{ kind: 'Pod' }]);
    }
    expect(built.resources.map(withoutProperties)).toStrictEqual(original.resources.map(withoutOwner).map(withoutProperties));
  });

  test('the properties are spark-submit\'s, line by line, except for the text around them', () => {
    // Deviation "stable text": spark-submit writes the date as the second line, and the properties
    // in the order of a hash map. Here there is no date and the properties are sorted, so that the
    // same submission is the same text.
    const [header, date, ...lines] = textOf(original).split('\n');
    const [builtHeader, ...builtLines] = textOf(built).split('\n');
    expect(date).toMatch(/^#[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} .* [0-9]{4}$/);
    expect([builtHeader, ...builtLines.sort()]).toEqual([header, ...lines.sort()]);
  });
});

test('the captures are not empty: they hold what is compared', () => {
  const { pod, resources } = captured('4.3.0', 'full');

  expect(resources.map(({ kind }) => kind)).toEqual(['Service', 'NetworkPolicy', 'PersistentVolumeClaim', 'ConfigMap', 'ConfigMap']);
  expect(pod.spec.volumes!.length).toBeGreaterThan(8);
  expect(propertiesOf(resources.at(-1) as ConfigMap)).toMatchObject({ 'spark.archives': 'https://r/a.zip#aa', 'spark.driver.extraJavaOptions': '-Dx=y z=é#!:' });
});

function withResources({ driver, resources }: BuiltSubmission): Captured {
  return { pod: driver, resources };
}

function textOf({ resources }: Captured): string {
  return (resources.at(-1) as ConfigMap).data['spark.properties']!;
}

type Resource = Captured['resources'][number];

function withoutOwner(resource: Resource): Resource {
  const { ownerReferences, ...metadata } = resource.metadata;
  return { ...resource, metadata } as Resource;
}

function withoutProperties(resource: Resource): object {
  return resource.kind === 'ConfigMap' ? { ...resource, data: { ...resource.data, 'spark.properties': '' } } : resource;
}

/**
 * Spark takes the user's variables and volumes in the order of a hash map, shuffles local
 * directories, and numbers the claims that it creates by their place in that order: all that
 * differs from run to run, so that there is nothing to be equal to. Nothing else is moved, and
 * these only within the places that they have.
 */
function inStableOrder(submission: Captured, scenario: string): Captured {
  const { pod, resources } = submission;
  const keys = Object.keys(SCENARIOS[scenario]!.conf);
  const named = (prefix: string, part: number) => new Set(keys.filter(key => key.startsWith(prefix)).map(key => key.slice(prefix.length).split('.')[part]!));
  const variables = named('spark.kubernetes.driverEnv.', 0);
  const volumes = named(`${VOLUMES}.`, 1);
  const containers = pod.spec.containers.map((container, index, { length }) => (index < length - 1 ? container : {
    ...container,
    env: sorted(container.env!.map(each => (each.name === 'SPARK_LOCAL_DIRS' ? { ...each, value: each.value!.split(',').sort().join() } : each)), variables),
    volumeMounts: sorted(withSortedPaths(container.volumeMounts!), volumes),
  }));
  const stable = { pod: { ...pod, spec: { ...pod.spec, containers, volumes: sorted(pod.spec.volumes!, volumes) } }, resources };
  return JSON.parse(JSON.stringify(stable).replace(/(-driver-pvc-)[0-9]+/g, '$1N'));
}

/** The items of some names, sorted, in the places that such items have. */
function sorted<T extends { readonly name: string }>(items: readonly T[], names: ReadonlySet<string>): T[] {
  const some = items.filter(({ name }) => names.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return items.map(item => (names.has(item.name) ? some.shift()! : item));
}

/** The volumes of local directories are numbered in the order of the directories. */
function withSortedPaths<T extends { readonly name: string; readonly mountPath: string }>(mounts: readonly T[]): T[] {
  const isNumbered = ({ name }: T) => /^spark-local-dir-[12]$/.test(name);
  const paths = mounts.filter(isNumbered).map(({ mountPath }) => mountPath).sort();
  return mounts.map(mount => (isNumbered(mount) ? { ...mount, mountPath: paths.shift()! } : mount));
}
