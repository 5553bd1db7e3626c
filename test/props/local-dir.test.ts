import { Size } from 'cdk8s';
import { LocalDir, LocalDirMedium } from '../../src';

test('an emptyDir on disk or in memory', () => {
  expect(LocalDir.emptyDir()._toVolume(1)).toMatchObject({
    volume: { name: 'spark-local-dir-1', emptyDir: {} }, path: '/var/data/spark-local-dir-1',
  });
  expect(LocalDir.emptyDir({
    medium: LocalDirMedium.MEMORY, sizeLimit: Size.mebibytes(1536), path: '/tmp/spark',
  })._toVolume(2)).toMatchObject({
    volume: { name: 'spark-local-dir-2', emptyDir: { medium: 'Memory', sizeLimit: '1536Mi' } }, path: '/tmp/spark',
  });
});

test.each<[() => unknown, string]>([
  [
    () => LocalDir.onDemandClaim({ storageClassName: '', size: Size.gibibytes(1) }),
    'LocalDir.onDemandClaim: storageClassName = "" must not be empty',
  ],
  [
    () => LocalDir.onDemandClaim({ storageClassName: 'ssd', size: Size.gibibytes(0) }),
    'LocalDir.onDemandClaim: size = "0Gi" must be whole MiB, at least 1',
  ],
  [() => LocalDir.hostPath('fast'), 'LocalDir.hostPath: hostPath = "fast" must begin with a slash'],
  [() => LocalDir.emptyDir({ path: 'data' }), 'LocalDir.emptyDir: path = "data" must begin with a slash'],
  [
    () => LocalDir.emptyDir({ path: '/a,b' }),
    'LocalDir.emptyDir: path = "/a,b" must not contain \',\', which separates Spark\'s local directories',
  ],
  [() => LocalDir.hostPath('/fast', { path: '/a:b' }), 'LocalDir.hostPath: path = "/a:b" must not contain \':\''],
])('%s is rejected', (make, message) => {
  expect(make).toThrow(message);
});
