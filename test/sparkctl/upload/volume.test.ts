/*
 * Applications and pods for an upload to a volume, and the script in the pod. test/e2e has tests
 * with a real cluster.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountPathOf, withMounts } from '../../../src/sparkctl/upload/volume/mount';
import { progressOf, uploadPod } from '../../../src/sparkctl/upload/volume/pod';
import { STORE } from '../../../src/sparkctl/upload/volume/store';

describe('the claim in driver and executors', () => {
  const claimVolume = { name: 'shared', persistentVolumeClaim: { claimName: 'programs' } };

  test('is mounted read-only where it is not mounted yet', () => {
    const spec = { volumes: [{ name: 'sparkctl-uploads', emptyDir: {} }], driver: { cores: 1, volumeMounts: [{ name: 'x', mountPath: '/x' }] }, executor: {} };
    const mount = { name: 'sparkctl-uploads-2', mountPath: '/opt/sparkctl/programs', readOnly: true };
    expect(mountPathOf('programs', spec)).toBe('/opt/sparkctl/programs');
    expect(withMounts('programs', spec)).toEqual({
      volumes: [{ name: 'sparkctl-uploads', emptyDir: {} }, { name: 'sparkctl-uploads-2', persistentVolumeClaim: { claimName: 'programs' } }],
      driver: { cores: 1, volumeMounts: [{ name: 'x', mountPath: '/x' }, mount] },
      executor: { volumeMounts: [mount] },
    });
  });

  test('stays unchanged if both mount it at the same path', () => {
    const spec = { volumes: [claimVolume], driver: { volumeMounts: [{ name: 'shared', mountPath: '/programs/' }] }, executor: { volumeMounts: [{ name: 'shared', mountPath: '/programs' }] } };
    expect(mountPathOf('programs', spec)).toBe('/programs');
    expect(withMounts('programs', spec)).toBe(spec);
  });

  test.each([
    ['only one of them has it', { driver: { volumeMounts: [{ name: 'shared', mountPath: '/programs' }] }, executor: {} }],
    ['they have it at different places', { driver: { volumeMounts: [{ name: 'shared', mountPath: '/a' }] }, executor: { volumeMounts: [{ name: 'shared', mountPath: '/b' }] } }],
    ['they have a part of it', { driver: { volumeMounts: [{ name: 'shared', mountPath: '/a', subPath: 'x' }] }, executor: { volumeMounts: [{ name: 'shared', mountPath: '/a', subPath: 'x' }] } }],
  ])('is mounted again, as the same volume, if %s', (_, roles) => {
    const { volumes, driver, executor } = withMounts('programs', { volumes: [claimVolume], ...roles }) as any;
    expect(volumes).toEqual([claimVolume]);
    for (const { volumeMounts } of [driver, executor]) expect(volumeMounts.at(-1)).toEqual({ name: 'shared', mountPath: '/opt/sparkctl/programs', readOnly: true });
  });
});

test('the upload pod has the driver\'s settings for volumes and nodes', () => {
  const spec = {
    image: 'spark:1', imagePullSecrets: ['registry'], nodeSelector: { disk: 'ssd' },
    driver: { podSecurityContext: { fsGroup: 185 }, securityContext: { runAsNonRoot: true }, tolerations: [{ key: 'batch' }], serviceAccount: 'spark', env: [{ name: 'PASSWORD', value: 'x' }] },
  };
  const { metadata, spec: pod } = uploadPod({ name: 'sparkctl-upload-1', namespace: 'jobs', claim: 'programs', spec }) as any;
  expect(metadata).toMatchObject({ name: 'sparkctl-upload-1', namespace: 'jobs' });
  expect(pod).toMatchObject({
    restartPolicy: 'Never', activeDeadlineSeconds: 3600, automountServiceAccountToken: false, imagePullSecrets: [{ name: 'registry' }], nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'batch' }],
    securityContext: { fsGroup: 185 }, volumes: [{ name: 'uploads', persistentVolumeClaim: { claimName: 'programs' } }],
    containers: [{ image: 'spark:1', securityContext: { allowPrivilegeEscalation: false, runAsNonRoot: true } }],
  });
  expect(JSON.stringify(pod)).not.toContain('PASSWORD');
});

test.each([
  ['running', { containerStatuses: [{ state: { running: {} } }] }, { kind: 'running' }],
  ['new', {}, { kind: 'waiting', reason: undefined }],
  ['without a node', { conditions: [{ type: 'PodScheduled', status: 'False', message: 'no node' }] }, { kind: 'waiting', reason: 'no node' }],
  ['being made', { containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }] }, { kind: 'waiting', reason: 'ContainerCreating' }],
  ['without its image', { containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } }] }, { kind: 'failed', reason: 'ImagePullBackOff: not found' }],
  ['ended', { phase: 'Failed', reason: 'DeadlineExceeded' }, { kind: 'failed', reason: 'DeadlineExceeded' }],
])('a pod that is %s', (_, status, progress) => {
  expect(progressOf({ status })).toEqual(progress);
});

describe('the script', () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const store = (name: string, input: string, { size = input.length, sum = sha256(input) } = {}) => (
    spawnSync('sh', ['-c', STORE, 'sh', join(folder, name), String(size), sum], { input, encoding: 'utf8' })
  );

  test('writes a file of the given size once', () => {
    const name = "deep/er/it's a file.py";
    expect(store(name, 'print(1)\n')).toMatchObject({ status: 0, stdout: 'sparkctl:begin\nsparkctl:stored\n', stderr: '' });
    expect(readFileSync(join(folder, name), 'utf8')).toBe('print(1)\n');
    expect(store(name, 'print(1)\n')).toMatchObject({ status: 0, stdout: 'sparkctl:present\n' });
    // A user has changed the file.
    expect(store(name, 'print(2)\n')).toMatchObject({ status: 0, stdout: 'sparkctl:begin\nsparkctl:stored\n' });
    expect(readdirSync(join(folder, 'deep/er'))).toEqual(["it's a file.py"]);
  });

  test.each([
    ['less arrives than was to come', { size: 20 }],
    ['something else arrives', { sum: sha256('other') }],
  ])('leaves no file if %s', (_, wrong) => {
    expect(store('broken/a.py', 'print(1)\n', wrong)).toMatchObject({ status: 1, stderr: 'what has arrived is not what was sent\n' });
    expect(readdirSync(join(folder, 'broken'))).toEqual([]);
  });

  test('writes an empty file', () => {
    expect(store('empty/a.txt', '')).toMatchObject({ status: 0, stdout: 'sparkctl:begin\nsparkctl:stored\n' });
  });
});
