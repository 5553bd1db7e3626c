import { podValues } from './pods';
import { isOn } from '../chart';
import { flag, lost, numeric, onlyWith, prop, propsAt, unneeded, type Translate, type ValuesTable } from './translation';
import { SCHEDULER_NAMES } from '../../../api/batch-schedulers';
import { isObject } from '../../../model/is-object';
import { durationIn } from '../../../text/duration';

/** Feature gates of kubeflow's operator, and what they are here. */
const GATES: Readonly<Record<string, string>> = {
  PartialRestart: 'an edit of fields of executors alone keeps the driver; all executors then need the webhook',
  DefaultTimeToLive: 'controller.defaultTimeToLiveSeconds becomes timeToLive, without a gate',
};

/** Gates without a counterpart, with the reason and the remedy. */
const LOST_GATES: Readonly<Record<string, string>> = {
  LoadSparkDefaults: 'the operator has no spark-defaults.conf of its own; write its properties into sparkConf of a ConfigMap with '
    + 'defaults, see defaultsConfigMapName',
  RestSubmitter: 'the operator submits applications itself; remove the submitter',
};

const NO_WEBHOOK = 'PartialRestart: needs the webhook, which is off; webhook.partialRestart is the prop';

const featureGates: Translate = (value: unknown, chart) => {
  const on = Array.isArray(value)
    ? value.flatMap((gate: unknown) => (isObject(gate) && isOn(gate) ? [String(gate.name)] : []))
    : [];
  const isPartial = on.includes('PartialRestart');
  const hasWebhook = chart.value('webhook.enable') === true;
  const losses = [
    ...on.flatMap((name) => (LOST_GATES[name] === undefined ? [] : [`${name}: ${LOST_GATES[name]}`])), ...(isPartial && !hasWebhook ? [NO_WEBHOOK] : []),
  ];
  const unknown = on.filter((name) => GATES[name] === undefined && LOST_GATES[name] === undefined);
  const notes = on.flatMap((name) => (GATES[name] === undefined ? [] : [`${name}: ${GATES[name]}`]));
  return {
    ...(isPartial && hasWebhook && { props: propsAt('webhook.partialRestart', true) }),
    note: notes.length > 0 ? notes.join('; ') : 'no gate is on',
    ...(losses.length + unknown.length > 0 && {
      loss: [...losses, ...unknown.map((name) => `${name}: this gate is unknown here; look for what it turns on in docs/explain/deviations.md`)].join('; '),
    }),
  };
};

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'];

/** kubeflow's operator also takes numbers, of which 1 or more is debug. */
const logLevel: Translate = (value: unknown) => {
  const word = String(value).toLowerCase();
  const level = /^\d+$/.test(word) ? (Number(word) > 0 ? 'debug' : 'info') : LOG_LEVELS.includes(word) ? word : 'error';
  return { props: { logLevel: level }, ...(level !== word && { note: `${word} is no level of this operator` }) };
};

const timeToLive: Translate = (value, chart) => {
  if (!chart.hasGate('DefaultTimeToLive')) return { note: 'has no effect in the chart while the gate DefaultTimeToLive is off' };
  if (Number(value) <= 0) return { note: 'never' };
  return { props: { timeToLive: `${Number(value)}s` }, note: 'also deletes applications that ended longer ago' };
};

/** Longest wait between two tries here, in milliseconds. */
const MAX_DELAY = 60_000;

const maxDelay: Translate = (value, chart) => {
  const delay = durationIn(String(value));
  if (delay !== undefined && delay > MAX_DELAY) return { note: 'tries are at most one minute apart here' };
  return onlyWith('controller.workqueueRateLimiter.maxDelay.enable', flag('workqueue-ratelimiter-max-delay'))(value, chart);
};

const NO_PROFILES = 'the operator is no Go program; for a profile of Node.js, set env NODE_OPTIONS=--cpu-prof';
const OWN_BACKOFF = 'each application has its own exponential backoff, of at most one minute';
const HIGH_LIMITS = 'left out: the default is far higher, and is meant to be; the API server has its own priority and fairness';

/** Behaviour of the controller. */
const BEHAVIOUR: ValuesTable = {
  'controller.featureGates': {
    byDefault: ['PartialRestart', 'LoadSparkDefaults', 'RestSubmitter', 'DefaultTimeToLive'].map((name) => ({ name, enabled: false })),
    becomes: featureGates,
  },
  'controller.leaderElection.enable': {
    byDefault: true,
    becomes: unneeded("stays on: without it, two operators would run during an update; flags: ['--leader-election=false'] turns it off"),
  },
  'controller.leaderElection.leaseDuration': { byDefault: '15s', becomes: prop('leaderElection.leaseDuration') },
  'controller.leaderElection.renewDeadline': { byDefault: '10s', becomes: prop('leaderElection.renewDeadline') },
  'controller.leaderElection.retryPeriod': { byDefault: '2s', becomes: prop('leaderElection.retryPeriod') },
  'controller.workers': { byDefault: 10, becomes: numeric('workers') },
  'controller.logLevel': { byDefault: 'info', becomes: logLevel },
  'controller.logEncoder': { byDefault: 'console', becomes: prop('logEncoder') },
  'controller.driverPodCreationGracePeriod': {
    byDefault: '10s', becomes: unneeded('the operator reads from the API server whether a driver exists, and need not wait'),
  },
  'controller.maxTrackedExecutorPerApp': { byDefault: 1000, becomes: numeric('maxTrackedExecutors') },
  'controller.defaultTimeToLiveSeconds': { byDefault: 0, becomes: timeToLive },
  'controller.driverPodDisruptionBudget.enable': { byDefault: false, becomes: prop('driverDisruptionBudgets') },
  'controller.kubeAPIQPS': { byDefault: 20, becomes: unneeded(`${HIGH_LIMITS}; kubeApiQps is the prop`) },
  'controller.kubeAPIBurst': { byDefault: 30, becomes: unneeded(`${HIGH_LIMITS}; kubeApiBurst is the prop`) },
  'controller.scheduledSparkApplicationTimestampPrecision': {
    byDefault: 'nanos', becomes: flag('scheduled-spark-application-timestamp-precision'),
  },
  'controller.workqueueRateLimiter.bucketQPS': { byDefault: 50, becomes: unneeded(OWN_BACKOFF) },
  'controller.workqueueRateLimiter.bucketSize': { byDefault: 500, becomes: unneeded(OWN_BACKOFF) },
  'controller.workqueueRateLimiter.maxDelay.enable': { byDefault: true, becomes: unneeded(OWN_BACKOFF) },
  'controller.workqueueRateLimiter.maxDelay.duration': { byDefault: '6h', becomes: maxDelay },
  'controller.pprof.enable': { byDefault: false, becomes: lost(NO_PROFILES) },
  'controller.pprof.port': { byDefault: 6060, becomes: lost(NO_PROFILES) },
  'controller.pprof.portName': { byDefault: 'pprof', becomes: lost(NO_PROFILES) },
};

const INGRESS = 'controller.uiIngress.enable';

/** Names that the operator has built in are no custom ones. */
const kubeSchedulers: Translate = (names) => {
  if (!Array.isArray(names)) return { props: propsAt('batchScheduling.kubeSchedulers', names) };
  const builtIn = names.filter((name) => SCHEDULER_NAMES.includes(name));
  const own = names.filter((name) => !SCHEDULER_NAMES.includes(name));
  return {
    ...(own.length > 0 && { props: propsAt('batchScheduling.kubeSchedulers', own) }),
    ...(builtIn.length > 0 && { note: `${builtIn.join(', ')}: built in, and needs no entry` }),
  };
};

/** Web UIs of drivers, and batch schedulers. */
const DRIVERS: ValuesTable = {
  'controller.uiService.enable': { byDefault: true, becomes: () => ({ props: { webUI: 'none' } }) },
  'controller.uiIngress.enable': {
    byDefault: false, becomes: () => ({ note: 'the values below become webUI; Ingresses of other ports need driverIngress: true' }),
  },
  'controller.uiIngress.urlFormat': { byDefault: '', becomes: onlyWith(INGRESS, prop('webUI.byIngress.urlFormat')) },
  'controller.uiIngress.ingressClassName': { byDefault: '', becomes: onlyWith(INGRESS, prop('webUI.byIngress.ingressClassName')) },
  'controller.uiIngress.tls': { byDefault: [], becomes: onlyWith(INGRESS, prop('webUI.byIngress.tls')) },
  'controller.uiIngress.annotations': { byDefault: {}, becomes: onlyWith(INGRESS, prop('webUI.byIngress.annotations')) },
  'controller.batchScheduler.enable': { byDefault: false, becomes: () => ({ props: propsAt('batchScheduling', {}) }) },
  'controller.batchScheduler.kubeSchedulerNames': {
    byDefault: [], becomes: onlyWith('controller.batchScheduler.enable', kubeSchedulers),
  },
  'controller.batchScheduler.default': {
    byDefault: '', becomes: onlyWith('controller.batchScheduler.enable', prop(
      'batchScheduling.defaultScheduler', 'for applications that choose no scheduler, on their pods, too',
    )),
  },
};

/** Values of the controller. */
export const CONTROLLER: ValuesTable = {
  ...BEHAVIOUR,
  ...DRIVERS,
  ...podValues({
    from: 'controller', to: '', suffix: '',
    volume: {
      definition: { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } } as { name: string },
      mount: { name: 'tmp', mountPath: '/tmp', readOnly: false },
    },
  }),
};

const NO_SUBMITTER = unneeded('the operator submits applications itself; the submitter can go');

/** Values of the separate service that submits applications. */
export const SUBMITTER: ValuesTable = {
  'submitter.serviceUrl': { byDefault: 'http://spark-operator-submitter-svc:8080/api/v1/spark-submit', becomes: NO_SUBMITTER },
  'submitter.requestTimeout': { byDefault: '2m', becomes: NO_SUBMITTER },
  'submitter.startupTimeout': { byDefault: '5m', becomes: NO_SUBMITTER },
  'submitter.maxRetries': { byDefault: 3, becomes: NO_SUBMITTER },
  'submitter.initialBackoff': { byDefault: '2s', becomes: NO_SUBMITTER },
  'submitter.startupProbe.periodSeconds': { byDefault: 5, becomes: NO_SUBMITTER },
  'submitter.startupProbe.failureThreshold': { byDefault: 60, becomes: NO_SUBMITTER },
};
