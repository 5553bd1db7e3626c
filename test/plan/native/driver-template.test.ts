import type { PodTemplate } from '../../../src/plan/pods/pod-template';
import { build } from './driver';
import type { Conf } from './driver';

const from = (template: unknown, conf: Conf = {}, version?: string) => build(conf, { driverTemplate: template as PodTemplate, version });
const CONTAINERS = [{ name: 'a', image: 'x' }, { name: 'b', image: 'y' }, { name: 'c' }];
const NAME = 'spark.kubernetes.driver.podTemplateContainerName';

describe('Spark\'s container', () => {
  test.each<[string, unknown[], Conf, string[]]>([
    ['the first', CONTAINERS, {}, ['b', 'c', 'a']],
    ['the named one', CONTAINERS, { [NAME]: 'b' }, ['a', 'c', 'b']],
    ['the one that another property names', CONTAINERS, { [NAME]: '${spark.x}', 'spark.x': 'c' }, ['a', 'b', 'c']],
    ['the first, if none has the name', CONTAINERS, { [NAME]: 'z' }, ['b', 'c', 'a']],
    ['the first, if two have the name', [...CONTAINERS, { name: 'c' }], { [NAME]: 'c' }, ['b', 'c', 'c', 'a']],
    ['a new one, if there is none', [], { [NAME]: 'b' }, ['spark-kubernetes-driver']],
    ['one without a name', [{ image: 'x' }], {}, ['spark-kubernetes-driver']],
  ])('is %s; it comes last', (_, containers, conf, names) => {
    const { pod } = from({ spec: { containers } }, conf);

    expect(pod.spec.containers.map(({ name }) => name)).toEqual(names);
    expect(pod.spec.containers.at(-1)!.args![0]).toBe('driver');
  });

  test('keeps its content, followed by Spark\'s additions', () => {
    const { container } = from({
      spec: {
        containers: [{
          name: 'm', command: ['sh'], args: ['-c'], env: [{ name: 'A', value: '1' }, { name: 'SPARK_USER', value: 'x' }],
          ports: [{ containerPort: 1 }],
          volumeMounts: [{ name: 'v', mountPath: '/v' }], livenessProbe: { tcpSocket: { port: 80 } },
        }],
      },
    });

    expect(container).toMatchObject({ name: 'm', command: ['sh'], livenessProbe: { tcpSocket: { port: 80 } } });
    expect(container.args!.slice(0, 2)).toEqual(['-c', 'driver']);
    expect(container.env!.slice(0, 3)).toEqual([
      { name: 'A', value: '1' }, { name: 'SPARK_USER', value: 'x' }, { name: 'SPARK_USER', value: 'spark' },
    ]);
    expect(container.ports!.slice(0, 2)).toEqual([{ containerPort: 1 }, { name: 'driver-rpc-port', containerPort: 7078, protocol: 'TCP' }]);
    expect(container.volumeMounts!.map(({ name }) => name)).toEqual(['v', 'spark-local-dir-1', 'spark-conf-volume-driver']);
  });

  test('has Spark\'s image, pull policy and memory, and keeps CPU limit, other resources and claims', () => {
    const { container } = from({
      spec: {
        containers: [{
          name: 'm', image: 'x', imagePullPolicy: 'Always',
          resources: {
            requests: {
              'cpu': 9, 'memory': '9Gi', 'ephemeral-storage': '1Gi',
            }, limits: { cpu: 2.5, memory: '9Gi' }, claims: [{ name: 'c' }],
          },
        }],
      },
    });

    expect(container).toMatchObject({ image: 'apache/spark:4.1.1', imagePullPolicy: 'IfNotPresent' });
    expect(container.resources).toEqual({
      requests: { 'cpu': '1', 'memory': '1408Mi', 'ephemeral-storage': '1Gi' }, limits: { cpu: '2.5', memory: '1408Mi' },
      claims: [{ name: 'c' }],
    });
  });

  test('4.3 replaces allowPrivilegeEscalation', () => {
    const template = { spec: { containers: [{ name: 'm', securityContext: { allowPrivilegeEscalation: true, runAsUser: 185 } }] } };

    expect(from(template, {}, '4.2.1').container.securityContext).toEqual({ allowPrivilegeEscalation: true, runAsUser: 185 });
    expect(from(template, {}, '4.3.0').container.securityContext).toEqual({ allowPrivilegeEscalation: false, runAsUser: 185 });
  });
});

describe('the pod', () => {
  test('keeps its content, even unknown fields; Spark\'s settings replace or follow it', () => {
    const { pod } = from({
      metadata: {
        name: 'mine', namespace: 'elsewhere', labels: {
          'team': 'a', 'spark-role': 'x',
        }, annotations: { a: '1', b: '{{APP_ID}}' }, finalizers: ['f/g'],
      },
      spec: {
        containers: [], restartPolicy: 'Always', priorityClassName: 'high', nodeSelector: { a: '1', b: '1' },
        imagePullSecrets: [{ name: 't' }],
        serviceAccountName: 't', schedulerName: 't', volumes: [{ name: 'v', emptyDir: {} }], ofTheFuture: { x: [1] },
      },
    }, {
      'spark.kubernetes.driver.annotation.a': '2',
      'spark.kubernetes.node.selector.b': '2',
      'spark.kubernetes.container.image.pullSecrets': 's',
      'spark.kubernetes.driver.pod.name': 'theirs',
    });

    expect(pod.metadata).toMatchObject({
      name: 'theirs', namespace: 'jobs', annotations: { a: '2', b: '{{APP_ID}}' }, finalizers: ['f/g'],
    });
    expect(pod.metadata.labels).toMatchObject({ 'team': 'a', 'spark-role': 'driver' });
    expect(pod.spec).toMatchObject({
      restartPolicy: 'Never', priorityClassName: 'high', nodeSelector: { a: '1', b: '2' }, imagePullSecrets: [{ name: 't' }, { name: 's' }],
      serviceAccountName: 't', schedulerName: 't', ofTheFuture: { x: [1] },
    });
    expect(pod.spec.serviceAccount).toBeUndefined();
    expect(pod.spec.volumes!.map(({ name }) => name)).toEqual(['v', 'spark-local-dir-1', 'spark-conf-volume-driver']);
  });

  test('has no null, empty lists and empty maps, which Go programs write into templates', () => {
    const { pod } = from({
      metadata: { creationTimestamp: null, labels: {}, annotations: null },
      spec: {
        containers: [{
          name: 'm', command: [], env: null, resources: { limits: {} }, securityContext: {},
        }, { name: 's', resources: {}, env: [] }],
        tolerations: [], nodeSelector: {}, affinity: {}, volumes: [{ name: 'v', emptyDir: {}, csi: null }],
      },
    });
    const [sidecar, container] = pod.spec.containers;

    expect(Object.keys(pod.metadata).sort()).toEqual(['labels', 'name']);
    expect(Object.keys(pod.spec).sort()).toEqual(['affinity', 'containers', 'restartPolicy', 'volumes']);
    expect(sidecar).toStrictEqual({ name: 's', resources: {} });
    expect(container).toMatchObject({ securityContext: {} });
    expect(container).not.toHaveProperty('command');
    expect(pod.spec.volumes![0]).toStrictEqual({ name: 'v', emptyDir: {} });
  });
});

test('with volumes for local directories in the template, Spark adds none', () => {
  const { pod, container } = from({
    spec: {
      volumes: [{ name: 'spark-local-dir-x', emptyDir: {} }],
      containers: [
        { name: 'm', volumeMounts: [{ name: 'spark-local-dir-x', mountPath: '/b' }, { name: 'spark-local-dir-x', mountPath: '/a' }] },
      ],
    },
  }, { 'spark.local.dir': '/elsewhere' });

  expect(container.env).toContainEqual({ name: 'SPARK_LOCAL_DIRS', value: '/b,/a' });
  expect(pod.spec.volumes!.map(({ name }) => name)).toEqual(['spark-local-dir-x', 'spark-conf-volume-driver']);
});

test('the template is not modified', () => {
  const template = {
    metadata: { labels: { a: 'b' } }, spec: {
      containers: [{ name: 'm', env: [{ name: 'A', value: '1' }] }], volumes: [{ name: 'v', emptyDir: {} }],
    },
  };
  const before = structuredClone(template);

  from(template);

  expect(template).toEqual(before);
});
