import { parseConfiguration, usage, UsageError, type Configuration, type Environment } from '../../src/flags/configuration';

const parse = (...args: string[]) => parseConfiguration(args) as Configuration;
const inCluster = (dependencies: Partial<Environment>, ...args: string[]) => parseConfiguration(args, {
  inCluster: true, ...dependencies,
}) as Configuration;

test('defaults', () => {
  expect(parse()).toEqual({
    command: 'controller',
    namespaces: { names: 'all', selector: undefined },
    ownNamespace: undefined,
    kubeconfig: undefined,
    context: undefined,
    workers: 10,
    maxRetryDelay: 60_000,
    kubeApiQps: 2000,
    kubeApiBurst: 4000,
    cacheSyncTimeout: 30_000,
    driverStartTimeout: 300_000,
    maxTrackedExecutors: 1000,
    partialRestart: false,
    minScheduleInterval: 0,
    defaultTimeToLiveSeconds: undefined,
    driverDisruptionBudget: false,
    removeOrphans: true,
    timestampPrecision: 'seconds',
    defaultsConfigMapName: undefined,
    submissionMode: 'auto',
    submissionModeAnnotation: true,
    sparkUser: 'spark',
    sparkSubmitTimeout: 300_000,
    ui: {
      service: true, driverIngress: true, ingress: {
        urlFormat: undefined, className: undefined, tls: [], annotations: {}, gateways: [],
      },
    },
    webhook: {
      mode: 'off', port: 9443, minTlsVersion: 'TLSv1.2', service: { name: 'spark-operator-webhook-svc', namespace: undefined },
      secret: { name: 'spark-operator-webhook-certs', namespace: undefined },
      configurations: { mutating: 'spark-operator-webhook', validating: 'spark-operator-webhook' },
      certificateLifetime: 90 * 24 * 3_600_000, certificateFiles: undefined, quotas: false,
    },
    leaderElection: {
      enabled: false, lockName: 'spark-operator-controller-lock', lockNamespace: undefined, leaseDuration: 15_000,
      renewDeadline: 10_000, retryPeriod: 2_000,
    },
    metrics: {
      address: { port: 8080 },
      prefix: '',
      labels: ['app_type'],
      submitLatencyBuckets: [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256],
      startLatencyBuckets: [30, 60, 90, 120, 150, 180, 210, 240, 270, 300],
    },
    health: { port: 8081 },
    logLevel: 'info',
    logEncoder: 'json',
    withoutEffect: {},
  });
});

test.each<[string[], unknown]>([
  [['--namespaces=a,b, a'], { namespaces: { names: ['a', 'b'] } }],
  [['--namespaces=a', '--namespaces', 'b'], { namespaces: { names: ['a', 'b'] } }],
  [['--namespaces='], { namespaces: { names: 'all' } }],
  [['--namespaces=""'], { namespaces: { names: 'all' } }],
  [['--namespaces=a,""'], { namespaces: { names: 'all' } }],
  [['--namespace-selector=team=data,env in (test,prod)'], { namespaces: { names: [], selector: 'team=data,env in (test,prod)' } }],
  [['--namespaces=a', '--namespace-selector=spark'], { namespaces: { names: ['a'], selector: 'spark' } }],
  [['--driver-start-timeout=250ms'], { driverStartTimeout: 250 }],
  [['--driver-start-timeout=90s'], { driverStartTimeout: 90_000 }],
  [['--driver-start-timeout=1h30m'], { driverStartTimeout: 5_400_000 }],
  [['--driver-start-timeout=1.5s'], { driverStartTimeout: 1_500 }],
  [['--default-time-to-live-seconds=3600'], { defaultTimeToLiveSeconds: 3_600 }],
  [['--workqueue-ratelimiter-max-delay=30s'], { maxRetryDelay: 30_000 }],
  [['--workqueue-ratelimiter-max-delay=6h'], { maxRetryDelay: 60_000 }],
  [['--enable-driver-pdb'], { driverDisruptionBudget: true }],
  [['--enable-ui-service=false'], { ui: { service: false } }],
  [['--enable-driver-ingress=false', '--remove-orphans=false'], { ui: { driverIngress: false }, removeOrphans: false }],
  [['--ingress-url-format={{$appName}}.example.org', '--ui-gateway=infra/public/https'], {
    ui: { ingress: { urlFormat: '{{$appName}}.example.org', gateways: [{ namespace: 'infra', name: 'public', sectionName: 'https' }] } },
  }],
  [[
    '--ingress-tls=[{"hosts":["*.example.org"],"secretName":"tls"}]', '--ingress-annotations={"a/b":"c"}',
  ], { ui: { ingress: { tls: [{ hosts: ['*.example.org'], secretName: 'tls' }], annotations: { 'a/b': 'c' } } } }],
  [['--leader-election', '--leader-election-lock-namespace=ops'], { leaderElection: { enabled: true, lockNamespace: 'ops' } }],
  [['--metrics-bind-address=0'], { metrics: { address: undefined } }],
  [['--metrics-labels='], { metrics: { labels: [] } }],
  [['--enable-metrics=false'], { metrics: { address: undefined } }],
  [['--metrics-bind-address=127.0.0.1:9000'], { metrics: { address: { host: '127.0.0.1', port: 9000 } } }],
  [[
    '--metrics-labels=app_type,team', '--metrics-prefix=team_a', '--metrics-job-start-latency-buckets=1,2.5',
  ], { metrics: { labels: ['app_type', 'team'], prefix: 'team_a', startLatencyBuckets: [1, 2.5] } }],
  [['--health-probe-bind-address=[::1]:9000'], { health: { host: '::1', port: 9000 } }],
  [['--kube-api-qps=0'], { kubeApiQps: 0 }],
  [['--kube-api-qps=20.5'], { kubeApiQps: 20.5 }],
  [['--submission-mode=native'], { submissionMode: 'native' }],
  [['--enable-submission-mode-annotation=false'], { submissionModeAnnotation: false }],
  [['--spark-submit-timeout=2m'], { sparkSubmitTimeout: 120_000 }],
  [['--log-level=debug'], { logLevel: 'debug' }],
  [['--log-encoder=console'], { logEncoder: 'console' }],
  [['--zap-encoder=console', '--log-encoder=json'], { logEncoder: 'json' }],
  [['--zap-log-level=2'], { logLevel: 'debug' }],
  [['--zap-log-level=error', '--log-level=warn'], { logLevel: 'warn' }],
])('%j', (flags, expected) => expect(parse(...flags)).toMatchObject(expected as object));

test.each([
  '--namespaces=Team A', '--namespace-selector=a=b=c', '--controller-threads=0', '--controller-threads=many',
  '--driver-start-timeout=5', '--driver-start-timeout=-5s',
  '--workqueue-ratelimiter-max-delay=0', '--workqueue-ratelimiter-max-delay=0s', '--feature-gates=DefaultTimeToLive',
  '--feature-gates=DefaultTimeToLive=on',
  '--metrics-bind-address=9000', '--metrics-bind-address=:70000', '--log-level=loud', '--kube-api-burst=0', '--defaults-config-map=A B',
  '--submission-mode=jvm', '--spark-submit-timeout=soon', '--webhook-cert-dir=/a/../etc',
  '--spark-user=a b',
  '--webhook=there', '--webhook-port=70000', '--webhook-svc-name=A', '--webhook-cert-dir=certs', '--webhook-key-name=../key',
  '--webhook-tls-min-version=VersionTLS10',
  '--webhook-certificate-lifetime=1s', '--webhook-certificate-lifetime=100000h', '--enable-cert-manager=maybe',
  '--ingress-tls=[{"host":"a"}]', '--ingress-annotations=[{"a":"b"}]', '--ui-gateway=public',
  '--metrics-job-submit-latency-buckets=2,1', '--leader-election=maybe',
])('%s: the error names the flag', (flag) => {
  expect(() => parse(flag)).toThrow(UsageError);
  expect(() => parse(flag)).toThrow(flag);
});

test.each([
  [['--leader-election-lease-duration=10s'], '--leader-election-lease-duration must be longer'],
  [['--leader-election-retry-period=9s'], '--leader-election-renew-deadline must be longer'],
  [[
    '--leader-election-lease-duration=900ms', '--leader-election-renew-deadline=600ms', '--leader-election-retry-period=100ms',
  ], 'at least 1s'],
  [['--leader-election=true'], 'needs --leader-election-lock-namespace'],
])('%j contradict each other', (flags, message) => expect(() => parse(...flags)).toThrow(message));

test('in a cluster, replicas elect a leader in the namespace of the pod by default', () => {
  expect(inCluster({ namespace: 'ops' }).leaderElection).toMatchObject({ enabled: true, lockNamespace: 'ops' });
  expect(inCluster({ namespace: 'ops' }, '--leader-election=false').leaderElection).toMatchObject({ enabled: false });
  expect(() => inCluster({})).toThrow('--leader-election-lock-namespace');
});

test("the operator accepts kubeflow's command line, and reports flags without effect", () => {
  const { withoutEffect, ...configuration } = inCluster(
    { namespace: 'ops' }, 'controller', 'start', '--zap-log-level=info', '--zap-encoder=console', '--namespaces=default',
    '--controller-threads=10', '--enable-ui-service=true',
    '--enable-metrics=true', '--metrics-bind-address=:8080', '--metrics-endpoint=/metrics', '--metrics-prefix=',
    '--metrics-labels=app_type',
    '--metrics-job-start-latency-buckets=30,60,90', '--leader-election=true',
    '--leader-election-lock-name=spark-operator-controller-lock', '--leader-election-lock-namespace=spark-operator',
    '--leader-election-lease-duration=15s', '--leader-election-renew-deadline=10s', '--leader-election-retry-period=2s',
    '--workqueue-ratelimiter-bucket-qps=50', '--workqueue-ratelimiter-bucket-size=500', '--workqueue-ratelimiter-max-delay=6h',
    '--driver-pod-creation-grace-period=10s', '--max-tracked-executor-per-app=1000',
    '--enable-batch-scheduler', '--kube-scheduler-names=', '--default-batch-scheduler=',
    '--feature-gates=PartialRestart=true,LoadSparkDefaults=false', '--pprof-bind-address=:6060',
  );
  expect(configuration).toMatchObject({
    namespaces: { names: ['default'] }, batchSchedulers: { kubeSchedulers: [] }, maxRetryDelay: 60_000, logEncoder: 'console',
    leaderElection: { enabled: true, lockNamespace: 'spark-operator' },
  });
  expect(Object.keys(withoutEffect)).toEqual([
    'metrics-endpoint', 'workqueue-ratelimiter-bucket-qps', 'workqueue-ratelimiter-bucket-size',
    'driver-pod-creation-grace-period',
    'pprof-bind-address', 'feature-gates',
  ]);
  for (const reason of Object.values(withoutEffect)) expect(reason).toMatch(/\w+ \w+/);
  expect(withoutEffect['feature-gates']).toBe('PartialRestart requires the webhook, which sets fields of new executors');
});

test('the flag sets the unit of the time in names of scheduled runs', () => {
  expect(parse('--scheduled-spark-application-timestamp-precision=nanos').timestampPrecision).toBe('nanos');
  expect(() => parse('--scheduled-spark-application-timestamp-precision=hours')).toThrow(
    'write one of nanos, micros, millis, seconds, minutes',
  );
});

test('gang scheduling requires --enable-batch-scheduler and known names', () => {
  expect(parse('--kube-scheduler-names=gang').batchSchedulers).toBeUndefined();
  expect(parse('--kube-scheduler-names=gang').withoutEffect).toEqual({
    'kube-scheduler-names': 'it requires --enable-batch-scheduler=true',
  });
  expect(parse(
    '--enable-batch-scheduler', '--kube-scheduler-names="gang", other', '--default-batch-scheduler=gang',
  ).batchSchedulers).toEqual({ kubeSchedulers: ['gang', 'other'], default: 'gang' });
  expect(() => parse(
    '--enable-batch-scheduler', '--default-batch-scheduler=volcanoo',
  )).toThrow('--default-batch-scheduler=volcanoo: write one of volcano, yunikorn;');
  expect(() => parse(
    '--enable-batch-scheduler', '--kube-scheduler-names=volcano',
  )).toThrow('--kube-scheduler-names=volcano: write comma-separated names');
});

const KUBEFLOWS = ['controller', 'start'];

test.each<[string[], number | undefined]>([
  [[], 3_600],
  [KUBEFLOWS, undefined],
  [[...KUBEFLOWS, '--feature-gates=PartialRestart=false,DefaultTimeToLive=false'], undefined],
  [['--feature-gates=PartialRestart=true'], undefined],
  [[...KUBEFLOWS, '--feature-gates=PartialRestart=false,DefaultTimeToLive=true'], 3_600],
  [['--feature-gates=DefaultTimeToLive=true'], 3_600],
  [['--feature-gates', 'DefaultTimeToLive=false', '--feature-gates', 'DefaultTimeToLive=1'], 3_600],
  [['--feature-gates=AllAlpha=true'], 3_600],
  [['--feature-gates=AllAlpha=true,DefaultTimeToLive=false'], undefined],
])("kubeflow's gate of the default time to live: with %j it is %p, and the operator reports a flag without effect", (args, expected) => {
  const { defaultTimeToLiveSeconds, withoutEffect } = parse(...args, '--default-time-to-live-seconds=3600');
  expect(defaultTimeToLiveSeconds).toBe(expected);
  expect('default-time-to-live-seconds' in withoutEffect).toBe(expected === undefined);
});

test.each<[string[], boolean, string | undefined]>([
  [[], false, undefined],
  [['--feature-gates=PartialRestart=true'], true, undefined],
  [['--feature-gates=AllAlpha=true'], true, 'AllAlpha has no counterpart here; DefaultTimeToLive and PartialRestart have an effect'],
  [['--feature-gates=AllAlpha=true,PartialRestart=false'], false, 'AllAlpha has no counterpart here; DefaultTimeToLive and PartialRestart have an effect'],
  [['--feature-gates=PartialRestart=true,RestSubmitter=true'], true, 'RestSubmitter has no counterpart here; DefaultTimeToLive and PartialRestart have an effect'],
])("kubeflow's gate of partial restarts with a webhook: with %j it is %p", (args, expected, reason) => {
  const { partialRestart, withoutEffect } = parse('--webhook=elsewhere', ...args);
  expect([partialRestart, withoutEffect['feature-gates']]).toEqual([expected, reason]);
  expect(parse(...args).partialRestart).toBe(false);
});

test('the operator does not report a default time to live of 0', () => {
  expect(parse(...KUBEFLOWS, '--default-time-to-live-seconds=0', '--feature-gates=DefaultTimeToLive=false').withoutEffect).toEqual({});
});

test.each([
  ['--namespace=a', '--namespace: there is no such flag; did you mean --namespaces?'],
  ['--leader-elect', 'did you mean --leader-election?'],
  ['--xyz=1', '--xyz: there is no such flag'],
  ['-v', '-v is not a flag'],
  ['default', 'default is not a flag'],
  ['--context', '--context needs a value, such as --context=NAME'],
  ['webhook', 'write webhook start'],
])('%s', (argument, message) => expect(() => parse(argument)).toThrow(message));

test('help and version take precedence over everything', () => {
  expect(parseConfiguration(['--help', '--log-level=loud'])).toBe('help');
  expect(parseConfiguration(['--version'])).toBe('version');
});

test('--help names each flag, in groups, with its default', () => {
  const text = usage();
  for (const flag of ['namespaces', 'driver-start-timeout', 'log-level', 'leader-election-lease-duration']) {
    expect(text).toContain(`  --${flag}=`);
  }
  expect(text).toContain('Leader election:\n  --leader-election=true|false\n        elect a leader');
  expect(text.split('\n').every((line) => line.length <= 112)).toBe(true);
});
