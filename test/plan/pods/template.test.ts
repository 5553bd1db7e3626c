import type { PodTemplateSpec } from '../../../src/k8s';
import { customizePod } from '../../../src/plan/pods/customize';
import { withLocalDirVolumes } from '../../../src/plan/pods/local-dirs';
import { setTemplateProperties } from '../../../src/plan/pods/template-properties';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { problemText } from '../../../src/model/problem';
import { containerOf, type Described, requestFor, ROLES } from './helpers';

describe.each(ROLES)('fields that Spark replaces in the template of a %s', (role) => {
  const container = (value: object): PodTemplateSpec => ({ spec: { containers: [{ name: containerOf(role), ...value }] } });
  const warningsOf = (template: PodTemplateSpec, properties: { [key: string]: string } = {}) => (
    customizePod(template, requestFor(role, { pod: { template }, properties, target: 'template' })).warnings.map(problemText)
  );
  const path = `spec.${role}.template`;
  const inContainer = `${path}.spec.containers[0]`;

  test.each<[string, PodTemplateSpec, { [key: string]: string }, string | undefined]>([
    ['the image', container({ image: 'mine' }), {
      [`spark.kubernetes.${role}.container.image`]: 'other',
    }, `${inContainer}.image is overridden by spark.kubernetes.${role}.container.image`],
    ['the same image', container({ image: 'mine' }), { 'spark.kubernetes.container.image': 'mine' }, undefined],
    [
      'the pull policy', container({ imagePullPolicy: 'Always' }), {},
      `${inContainer}.imagePullPolicy is overridden by Spark's default, IfNotPresent`,
    ],
    ['the CPU request', container({
      resources: { requests: { cpu: '2' } },
    }), { [`spark.${role}.cores`]: '1' }, `${inContainer}.resources.requests.cpu is overridden by spark.${role}.cores`],
    ['the same CPU request', container({ resources: { requests: { cpu: '1000m' } } }), { [`spark.${role}.cores`]: '1' }, undefined],
    ['a CPU limit that nothing replaces', container({ resources: { limits: { cpu: '1' } } }), {}, undefined],
    ['the memory request', container({
      resources: { requests: { memory: '1Gi' } },
    }), {}, `${inContainer}.resources.requests.memory is overridden by spark.${role}.memory and the overhead`],
    ['a label', { metadata: { labels: { team: 'a' } } }, {
      [`spark.kubernetes.${role}.label.team`]: 'b',
    }, `${path}.metadata.labels[team] is overridden by spark.kubernetes.${role}.label.team`],
    ['a label of Spark\'s', {
      metadata: { labels: { 'spark-role': 'x' } },
    }, {}, `${path}.metadata.labels[spark-role] is overridden by Spark's own`],
    ['an annotation', { metadata: { annotations: { a: '1' } } }, {
      [`spark.kubernetes.${role}.annotation.a`]: '2',
    }, `${path}.metadata.annotations[a] is overridden by spark.kubernetes.${role}.annotation.a`],
    ['the restart policy', {
      spec: { containers: [], restartPolicy: 'Always' },
    }, {}, `${path}.spec.restartPolicy is overridden by Spark's own, Never`],
  ])('%s', (_, template, properties, warning) => {
    expect(warningsOf(template, properties)).toEqual(warning === undefined ? [] : [warning]);
  });
});

describe('properties for fields that Spark would replace in a template', () => {
  const propertiesOf = (described: Described, role: 'driver' | 'executor' = 'executor') => {
    const properties = SparkProperties.of(described.properties ?? {});
    setTemplateProperties(properties, requestFor(role, described));
    return Object.fromEntries(properties.entries());
  };
  const template = (spec: object): Described => ({ pod: { template: { spec: { containers: [], ...spec } } } });
  const container = (value: object) => template({ containers: [{ name: 'spark', ...value }] });
  const GRACE = 'spark.kubernetes.executor.terminationGracePeriodSeconds';
  const ESCALATION = 'spark.kubernetes.executor.securityContext.allowPrivilegeEscalation';

  test.each<[string, Described, { [key: string]: string }]>([
    ['no property without a field', {}, {}],
    ['the grace period', { pod: { terminationGracePeriodSeconds: 0 } }, { [GRACE]: '0s' }],
    ['a negative grace period, which Spark would reject', { pod: { terminationGracePeriodSeconds: -1 } }, { [GRACE]: '1s' }],
    ['the template\'s grace period', template({ terminationGracePeriodSeconds: 60 }), { [GRACE]: '60s' }],
    ['sparkConf\'s grace period takes precedence over the template\'s', {
      ...template({ terminationGracePeriodSeconds: 60 }), properties: { [GRACE]: '9s' },
    }, { [GRACE]: '9s' }],
    ['the scheduler', {
      pod: { schedulerName: 'a' }, application: { batchScheduler: 'b' },
    }, { 'spark.kubernetes.executor.scheduler.name': 'b' }],
    ['the node selector', { pod: { nodeSelector: { disk: 'ssd' } } }, { 'spark.kubernetes.executor.node.selector.disk': 'ssd' }],
    ['properties of variables are removed, as Spark would add them after the template\'s', {
      pod: { env: [{ name: 'A', value: '1' }, { name: 'B', value: '1' }] },
      properties: {
        'spark.executorEnv.A': '1', 'spark.executorEnv.B': '2', 'spark.executorEnv.C': '3',
        'spark.kubernetes.executor.secretKeyRef.A': 's:k',
      },
    }, { 'spark.executorEnv.A': '1', 'spark.executorEnv.C': '3' }],
    ['SPARK_CONF_DIR', { application: { sparkConfigMap: 's' } }, { 'spark.executorEnv.SPARK_CONF_DIR': '/etc/spark/conf' }],
    ['privilege escalation', { pod: { securityContext: { allowPrivilegeEscalation: true } } }, { [ESCALATION]: 'true' }],
    ['a privileged container', container({ securityContext: { privileged: true } }), { [ESCALATION]: 'true' }],
    ['a container with SYS_ADMIN', container({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }), { [ESCALATION]: 'true' }],
    ['sparkConf\'s privileges take precedence over the template\'s', {
      ...container({ securityContext: { privileged: true } }),
      properties: { 'spark.kubernetes.securityContext.allowPrivilegeEscalation': 'false' },
    }, { 'spark.kubernetes.securityContext.allowPrivilegeEscalation': 'false' }],
  ])('%s', (_, described, expected) => {
    expect(propertiesOf(described)).toEqual(expected);
  });

  test('a driver is not built from a template', () => {
    expect(propertiesOf({ pod: { terminationGracePeriodSeconds: 60 }, application: { sparkConfigMap: 's' } }, 'driver')).toEqual({});
  });
});

describe('local directories that Spark must find in the template', () => {
  const claim = { name: 'spark-local-dir-1', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } };
  const mount = { name: 'spark-local-dir-1', mountPath: '/scratch' };
  const request = requestFor('executor', {
    pod: { volumeMounts: [mount] }, application: { volumes: [claim, { name: 'other', emptyDir: {} }] }, target: 'template',
  });
  const expected = { spec: { containers: [{ name: 'spark-kubernetes-executor', volumeMounts: [mount] }], volumes: [claim] } };

  test('are those of types without Spark properties', () => {
    expect(withLocalDirVolumes({}, request)).toEqual(expected);
  });

  test('are added once', () => {
    const once = withLocalDirVolumes({}, request);

    expect(withLocalDirVolumes(once, request)).toBe(once);
    expect(customizePod(once, request).pod).toBe(once);
  });

  test('are not those that Spark mounts by properties', () => {
    const template = {};
    const bySpark = requestFor('executor', {
      pod: { volumeMounts: [mount] }, application: { volumes: [{ name: 'spark-local-dir-1', hostPath: { path: '/mnt' } }] },
    });

    expect(withLocalDirVolumes(template, bySpark)).toBe(template);
  });
});
