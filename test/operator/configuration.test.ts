import { parseConfiguration, usage, UsageError, type Configuration } from '../../src/operator/configuration';

const parse = (...args: string[]) => parseConfiguration(args) as Configuration;

test('defaults', () => {
  expect(parse()).toEqual({
    namespaces: ['default'], kubeconfig: undefined, context: undefined, workers: 10, kubeApiQps: 2000, kubeApiBurst: 4000,
    driverStartTimeout: 300_000, maxTrackedExecutors: 1000, metrics: { port: 8080 }, health: { port: 8081 }, logLevel: 'info',
    submissionMode: 'auto', sparkUser: 'spark',
    sparkSubmit: { timeout: 300_000, concurrency: undefined, folders: ['/opt/spark-operator/files'], packages: false },
  });
});

test.each<[string, Partial<Configuration>]>([
  ['--namespaces=a,b, a', { namespaces: ['a', 'b'] }],
  ['--driver-start-timeout=250ms', { driverStartTimeout: 250 }],
  ['--driver-start-timeout=90s', { driverStartTimeout: 90_000 }],
  ['--driver-start-timeout=5m', { driverStartTimeout: 300_000 }],
  ['--driver-start-timeout=2h', { driverStartTimeout: 7_200_000 }],
  ['--metrics-bind-address=0', { metrics: undefined }],
  ['--metrics-bind-address=127.0.0.1:9000', { metrics: { host: '127.0.0.1', port: 9000 } }],
  ['--health-probe-bind-address=[::1]:9000', { health: { host: '::1', port: 9000 } }],
  ['--kube-api-qps=0', { kubeApiQps: 0 }],
  ['--submission-mode=native', { submissionMode: 'native' }],
  ['--spark-submit-folders=/data/jars, /files/', { sparkSubmit: { timeout: 300_000, concurrency: undefined, folders: ['/data/jars', '/files/'], packages: false } }],
  ['--spark-submit-concurrency=2', { sparkSubmit: { timeout: 300_000, concurrency: 2, folders: ['/opt/spark-operator/files'], packages: false } }],
  ['--log-level=debug', { logLevel: 'debug' }],
])('%s', (flag, expected) => expect(parse(flag)).toMatchObject(expected));

test.each([
  '--namespaces=', '--namespaces=Team A', '--controller-threads=0', '--controller-threads=many', '--driver-start-timeout=5', '--driver-start-timeout=-5s',
  '--metrics-bind-address=9000', '--metrics-bind-address=:70000', '--log-level=loud', '--kube-api-burst=0',
  '--submission-mode=jvm', '--spark-submit-folders=files', '--spark-submit-folders=/a/../etc', '--spark-submit-packages=yes', '--spark-user=a b',
])('%s is refused, by its name', (flag) => {
  expect(() => parse(flag)).toThrow(UsageError);
  expect(() => parse(flag)).toThrow(flag);
});

test('help and version win over everything', () => {
  expect(parseConfiguration(['--help', '--log-level=loud'])).toBe('help');
  expect(parseConfiguration(['--version'])).toBe('version');
  for (const flag of ['namespaces', 'driver-start-timeout', 'log-level']) expect(usage()).toContain(`--${flag}=`);
});
