/* A template sets fields of executors without Spark property. Spark adds its own settings to it. */
import { PortProtocol } from '../../../src/api/spark-pod';
import { customizePod, customizes } from '../../../src/plan/pods/customize';
import { DATA, type Described, METRICS, refusalOf, requestFor } from './helpers';

describe('the template of executors', () => {
  const wanted = (described: Described) => requestFor('executor', { ...described, target: 'template' });

  test('Spark\'s container is the first one, unless another has its name', () => {
    const env = [{ name: 'A', value: '1' }];

    expect(customizePod({ spec: { containers: [{ name: 'mine' }, { name: 'other' }] } }, wanted({ pod: { env } })).pod.spec.containers)
      .toEqual([{ name: 'mine', env }, { name: 'other' }]);
    expect(customizePod(
      { spec: { containers: [{ name: 'other' }, { name: 'spark-kubernetes-executor' }] } }, wanted({ pod: { env } }),
    ).pod.spec.containers)
      .toEqual([{ name: 'other' }, { name: 'spark-kubernetes-executor', env }]);
  });

  test('the template contains Spark\'s container if it has content, or if Spark would use a sidecar as its own', () => {
    const { pod: withVariable } = customizePod({}, wanted({ pod: { env: [{ name: 'A', value: '1' }] } }));
    const { pod: withSidecar } = customizePod({}, wanted({ pod: { sidecars: [{ name: 'side' }] } }));
    const { pod: withAffinity } = customizePod({}, wanted({ pod: { affinity: { nodeAffinity: {} } } }));

    expect(withVariable).toEqual({ spec: { containers: [{ name: 'spark-kubernetes-executor', env: [{ name: 'A', value: '1' }] }] } });
    expect(withSidecar).toEqual({ spec: { containers: [{ name: 'spark-kubernetes-executor' }, { name: 'side' }] } });
    expect(withAffinity).toEqual({ spec: { containers: [], affinity: { nodeAffinity: {} } } });
  });

  test.each<[string, Described, boolean]>([
    ['nothing', {}, false],
    ['fields without effect', {
      pod: { hostNetwork: false, env: [], tolerations: [], gpu: { name: 'x', quantity: 0 }, priorityClassName: '' },
    }, false],
    ['a field that a template cannot set', { pod: { memoryLimit: '6g' } }, false],
    ['a local directory of Spark\'s', {
      pod: {
        volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/x' }],
      }, application: { volumes: [{ name: 'spark-local-dir-1', emptyDir: {} }] },
    }, false],
    ['a toleration', { pod: { tolerations: [{ operator: 'Exists' }] } }, true],
    ['a field of the application', { application: { hadoopConfigMap: 'hadoop' } }, true],
    ['metrics', { metrics: METRICS }, true],
  ])('executors with %s: is a template needed? (%#)', (_, described, needed) => {
    expect(customizes(wanted(described))).toBe(needed);
  });

  test.each<[string, Described, string]>([
    ['where Spark mounts its configuration', {
      pod: { configMaps: [{ name: 'a', path: '/opt/spark/conf' }] },
    }, 'spec.executor.configMaps[0]'],
    ['where Spark mounts a Secret', {
      pod: { volumeMounts: [{ name: 'data', mountPath: '/secret' }] }, application: { volumes: [DATA] },
      properties: { 'spark.kubernetes.executor.secrets.s': '/secret' },
    }, 'spec.executor.volumeMounts[0]'],
  ])('a mount %s is rejected', (_, described, culprit) => {
    expect(refusalOf(() => customizePod({}, wanted(described))).field).toBe(culprit);
  });

  test('ports: one that Spark will add is not added, nor accepted with another number', () => {
    const port = (number: number) => ({ pod: { ports: [{ name: 'blockmanager', containerPort: number, protocol: PortProtocol.TCP }] } });

    expect(customizes(wanted(port(7079)))).toBe(false);
    expect(refusalOf(() => customizes(wanted(port(9999)))).field).toBe('spec.executor.ports[0]');
    expect(customizes(wanted({ ...port(9999), properties: { 'spark.blockManager.port': '9999' } }))).toBe(false);
  });

  test('volumes that Spark adds can be mounted by a sidecar', () => {
    const sidecars = [
      { name: 's', volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/x' }, { name: 'token-volume', mountPath: '/y' }] },
    ];
    const { pod: template } = customizePod(
      {}, wanted({ pod: { sidecars }, properties: { 'spark.kubernetes.executor.secrets.token': '/z' } }),
    );

    expect(template).toEqual({ spec: { containers: [{ name: 'spark-kubernetes-executor' }, sidecars[0]] } });
  });

  test('another namespace than the application\'s is rejected, as Spark could not create executors', () => {
    const template = { metadata: { namespace: 'other' } };
    const refusal = refusalOf(() => customizePod(
      template, wanted({ pod: { template }, properties: { 'spark.kubernetes.namespace': 'jobs' } }),
    ));

    expect(refusal.message).toBe(
      'spec.executor.template.metadata.namespace = "other" is not the namespace of the application, jobs; remove it',
    );
  });

  test('a template\'s serviceAccountName is kept', () => {
    expect(customizePod({ spec: { containers: [], serviceAccountName: 'mine' } }, wanted({})).pod.spec)
      .toEqual({ containers: [], serviceAccount: 'mine', serviceAccountName: 'mine' });
  });

  test('null in a template is treated as absent', () => {
    const template = { metadata: null, spec: { containers: null, volumes: null, nodeSelector: null, tolerations: null } } as never;
    const { pod: result } = customizePod(template, wanted({
      pod: { nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }], env: [{ name: 'A', value: '1' }] },
    }));

    expect(result).toEqual({
      metadata: null,
      spec: {
        volumes: null,
        nodeSelector: { a: 'b' },
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'spark-kubernetes-executor', env: [{ name: 'A', value: '1' }] }],
      },
    });
  });
});
