import { APPLICATION_ID, build, PREFIX, refusal } from './driver';
import type { Conf } from './driver';

const DRIVER = 'spark.kubernetes.driver.volumes.';
const EXECUTOR = 'spark.kubernetes.executor.volumes.';

/** Returns the properties of a volume. */
function volume(id: string, options: Conf = {}, prefix = DRIVER): Conf {
  return Object.fromEntries(Object.entries({ 'mount.path': `/mnt/${id}`, ...options }).map(([option, value]) => [
    `${prefix}${id}.${option}`, value,
  ]));
}

const CLAIM = { 'options.claimName': 'OnDemand', 'options.storageClass': 'fast', 'options.sizeLimit': '10Gi' };

describe('volumes of the driver', () => {
  test.each<[string, Conf, object]>([
    ['hostPath.v', { 'options.path': '/h', 'options.type': 'Directory' }, { hostPath: { path: '/h', type: 'Directory' } }],
    ['hostPath.v', { 'options.path': '/h' }, { hostPath: { path: '/h', type: '' } }],
    ['emptyDir.v', {}, { emptyDir: { medium: '' } }],
    ['emptyDir.v', { 'options.medium': 'Memory', 'options.sizeLimit': '1Gi' }, { emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
    ['nfs.v', { 'options.path': '/e', 'options.server': 'nfs' }, { nfs: { path: '/e', server: 'nfs' } }],
    ['persistentVolumeClaim.v', { 'options.claimName': 'mine' }, { persistentVolumeClaim: { claimName: 'mine', readOnly: false } }],
    ['persistentVolumeClaim.v', {
      'options.claimName': 'mine', 'mount.readOnly': 'TRUE',
    }, { persistentVolumeClaim: { claimName: 'mine', readOnly: true } }],
  ])('%s with %j', (id, options, source) => {
    expect(build(volume(id, options)).pod.spec.volumes![0]).toEqual({ name: 'v', ...source });
  });

  test.each<[string, Conf, object]>([
    ['4.0.2', { 'mount.readOnly': 'true', 'mount.subPath': 'a' }, { readOnly: true, subPath: 'a', subPathExpr: '' }],
    ['4.0.2', { 'mount.subPathExpr': '$(A)' }, { readOnly: false, subPath: '', subPathExpr: '$(A)' }],
    ['3.5.8', { 'mount.subPathExpr': '$(A)' }, { readOnly: false, subPath: '' }],
  ])('Spark %s mounts with %j', (version, options, expected) => {
    expect(build(volume('emptyDir.v', options), { version }).container.volumeMounts![0]).toEqual({
      name: 'v', mountPath: '/mnt/emptyDir.v', ...expected,
    });
  });

  test('before 4.0 a host path has no type', () => {
    expect(
      build(volume('hostPath.v', { 'options.path': '/h', 'options.type': 'File' }), { version: '3.5.8' }).pod.spec.volumes![0]!.hostPath,
    ).toEqual({ path: '/h', type: '' });
  });

  test('are sorted by type and name, and precede the local directories', () => {
    const { pod } = build({
      ...volume('nfs.b', { 'options.path': '/', 'options.server': 's' }), ...volume('emptyDir.z'), ...volume('emptyDir.a-1'),
      ...volume('emptyDir.a'),
    });

    expect(pod.spec.volumes!.map(({ name }) => name)).toEqual(['a-1', 'a', 'z', 'b', 'spark-local-dir-1', 'spark-conf-volume-driver']);
  });
});

describe('claims', () => {
  test('a claim with class and size is created, with the index of its volume in its name', () => {
    const { claims, pod } = build({
      ...volume('persistentVolumeClaim.a', { 'options.claimName': 'x-OnDemand' }),
      ...volume('persistentVolumeClaim.b', { ...CLAIM, 'label.team/x.y': 'l', 'label.spark-app-selector': 'mine', 'annotation.a': 'b' }),
    });

    expect(pod.spec.volumes!.slice(0, 2).map(({ persistentVolumeClaim }) => persistentVolumeClaim!.claimName)).toEqual([
      `x-${PREFIX}-driver-pvc-0`, `${PREFIX}-driver-pvc-1`,
    ]);
    expect(claims).toEqual([{
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: `${PREFIX}-driver-pvc-1`, labels: {
          'team/x.y': 'l', 'spark-app-selector': APPLICATION_ID,
        }, annotations: { a: 'b' },
      },
      spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '10Gi' } }, storageClassName: 'fast' },
    }]);
  });

  test.each([
    ['3.5.8', undefined, 'ReadWriteOnce'], ['3.5.8', 'false', 'ReadWriteOncePod'], ['4.0.2', undefined, 'ReadWriteOncePod'],
    ['4.0.2', 'true', 'ReadWriteOnce'],
  ])('Spark %s with legacy mode %s asks for %s', (version, legacy, mode) => {
    const conf: Conf = legacy === undefined ? {} : { 'spark.kubernetes.legacy.useReadWriteOnceAccessMode': legacy };
    expect(build({ ...volume('persistentVolumeClaim.a', CLAIM), ...conf }, { version }).claims[0]!.spec.accessModes).toEqual([mode]);
  });

  test('before 4.0, the user\'s labels and annotations are omitted', () => {
    const { claims } = build(volume('persistentVolumeClaim.a', { ...CLAIM, 'label.l': 'x', 'annotation.a': 'b' }), { version: '3.5.8' });

    expect(claims[0]!.metadata).toEqual({ name: `${PREFIX}-driver-pvc-0`, labels: { 'spark-app-selector': APPLICATION_ID } });
  });
});

test.each<[string, Conf, string, string]>([
  ['an unknown type', volume('secret.v'), 'secret.v.mount.path', 'is for a volume of type secret, which Spark does not know'],
  [
    'a type of JavaScript\'s', volume('constructor.v'), 'constructor.v.mount.path',
    'is for a volume of type constructor, which Spark does not know',
  ],
  ['no mount path', { [`${DRIVER}emptyDir.v.options.medium`]: 'Memory' }, 'emptyDir.v.mount.path', 'is missing'],
  ['no option at all', { [`${DRIVER}emptyDir.v`]: 'x' }, 'emptyDir.v.mount.path', 'is missing'],
  ['a host path without path', volume('hostPath.v'), 'hostPath.v.options.path', 'is missing'],
  ['NFS without server', volume('nfs.v', { 'options.path': '/' }), 'nfs.v.options.server', 'is missing'],
  ['a claim without name', volume('persistentVolumeClaim.v'), 'persistentVolumeClaim.v.options.claimName', 'is missing'],
  ['the same path twice', {
    ...volume('emptyDir.v', { 'mount.path': '/x' }), ...volume('emptyDir.w', { 'mount.path': '/x' }),
  }, 'emptyDir.w.mount.path', 'is also the mount path of the volume v'],
  ['both kinds of sub-path', volume('emptyDir.v', {
    'mount.subPath': 'a', 'mount.subPathExpr': 'b',
  }), 'emptyDir.v.mount.subPathExpr', 'is not allowed together with mount.subPath'],
  ['read-only: yes', volume('emptyDir.v', { 'mount.readOnly': 'yes' }), 'emptyDir.v.mount.readOnly', 'is neither true nor false'],
  ['a size without unit', volume('emptyDir.v', { 'options.sizeLimit': '10' }), 'emptyDir.v.options.sizeLimit', 'is less than 1 KiB'],
  [
    'an invalid size', volume('emptyDir.v', { 'options.sizeLimit': '10GB' }), 'emptyDir.v.options.sizeLimit',
    'is not a Kubernetes quantity',
  ],
])('rejected: %s', (_, conf, key, reason) => {
  expect(refusal(conf)).toMatchObject({ field: DRIVER + key, reason });
});

test('executors\' volumes are checked by the same rules, although the driver mounts them', () => {
  expect(refusal(volume('hostPath.v', {}, EXECUTOR))).toMatchObject({ field: `${EXECUTOR}hostPath.v.options.path`, reason: 'is missing' });
  expect(build({
    ...volume('emptyDir.v', { 'mount.path': '/x' }, EXECUTOR), ...volume('emptyDir.w', { 'mount.path': '/x' }, EXECUTOR),
  }).pod.spec.volumes).toHaveLength(2);
});
