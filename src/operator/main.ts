import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import pino from 'pino';
import { isForReconciler } from './at-work';
import { parseConfiguration, usage, UsageError, type Configuration, type LeaderElectionConfiguration } from './configuration';
import { serve, type Answer, type RunningServer } from './http-server';
import { KubeClient, type CallStatistics } from './kube/client';
import { systemClock } from './kube/clock';
import { Controller } from './kube/controller';
import { EventRecorder } from './kube/events';
import { connect } from './kube/kube-config';
import { NotLeaderError } from './kube/leader-election';
import type { Logger } from './kube/logger';
import { Store } from './kube/store';
import { WorkQueue } from './kube/work-queue';
import { leadership, type Leadership } from './leadership';
import { Metrics } from './metrics/registry';
import { SelectedNamespaces, watchedNamespaces } from './namespaces/selected';
import { DefaultsSource } from './defaults/source';
import { isWatched, liveness, readiness } from './readiness';
import { isBeginning, type SparkApplication } from './spark-application/model';
import { applicationKeyOf, BY_APPLICATION } from './spark-application/observe';
import { OwnedObjects } from './spark-application/owned/owned-objects';
import { webUIUrlFormat, type OwnedSettings } from './spark-application/owned/settings';
import type { PodView } from './spark-application/pod-view';
import { SparkApplicationReconciler } from './spark-application/reconciler';
import { Rivals } from './spark-application/rivals';
import { ALL_NAMESPACES, Watches } from './spark-application/watches';
import { findSparkSubmit } from './spark-submit';
import { surroundings } from './surroundings';
import { Work } from './work';

/** The package's version, put in by the bundler. */
declare const PACKAGE_VERSION: string;

const CONTROLLER_NAME = 'spark-operator';
/** The API server records it as the one who has written (`managedFields`). */
const USER_AGENT = 'cdk8s-spark-operator';
/** The kubelet kills after terminationGracePeriodSeconds (30 s); what is under way gets less. */
const STOP_GRACE = 15_000;

/** Starts the operator: flags, then configuration, then the parts and how they fit. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const configuration = parseConfiguration(args, surroundings(process.env, args));
  if (configuration === 'help') return void console.log(usage());
  if (configuration === 'version') return void console.log(PACKAGE_VERSION);
  const logger = pino({ level: configuration.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'unexpected error, the operator ends and is started again by Kubernetes');
    process.exit(1);
  });
  logger.info({ version: PACKAGE_VERSION, node: process.versions.node, ...configuration }, 'starting');
  for (const [flag, reason] of Object.entries(configuration.withoutEffect)) logger.warn({ flag: `--${flag}` }, `a flag has no effect here: ${reason}`);
  const operator = await start(configuration, logger as Logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      logger.info({ signal }, 'stopping');
      await operator.stop();
      logger.info({}, 'stopped');
      process.exit(0);
    });
  }
}

/** Wires the parts together and starts them. Resolves when the operator is at work or stands by; it is ready when /readyz says so. */
async function start(configuration: Configuration, logger: Logger): Promise<{ stop(): Promise<void> }> {
  const clock = systemClock;
  const instance = process.env.POD_NAME ?? hostname();
  const onListenerError = (error: Error) => logger.error({ err: error }, 'a change could not be passed on');
  const applications = new Store<SparkApplication>({ onListenerError });
  const pods = new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf }, onListenerError });
  const isSelected = (namespace: string) => namespaces.has(namespace);
  /** There while this process leads. */
  let work: Work | undefined;
  const metrics: Metrics = new Metrics({
    applications: () => applications.list().filter(({ metadata }) => isSelected(metadata.namespace!)),
    pods: () => pods.list().filter(({ metadata }) => isSelected(metadata.namespace!)),
    queue: { get depth() { return work?.depth ?? 0; } },
    namespaces: () => watches.health().map((health) => ({ ...health, watched: isWatched(health) })),
    defaults: () => defaults.health().map((health) => ({ ...health, watched: isWatched(health) })),
    events: () => events.dropped,
    leading: () => work !== undefined,
  }, configuration.metrics);

  const connection = connect({ kubeconfig: configuration.kubeconfig, context: configuration.context });
  const clientOptions = { userAgent: `${USER_AGENT}/${PACKAGE_VERSION}`, onCall: (call: CallStatistics) => metrics.onCall(call), clock };
  const client = new KubeClient(connection, { ...clientOptions, qps: configuration.kubeApiQps, burst: configuration.kubeApiBurst, guard: (call) => lead.guard(call) });
  const leaseClient = new KubeClient(connection, { ...clientOptions, qps: 0 });
  const events = new EventRecorder({ client, reportingController: CONTROLLER_NAME, reportingInstance: instance, logger, clock });

  const newSparkSubmitter = await findSparkSubmit(configuration, logger, (call) => lead.guard(call));
  const namespaces: SelectedNamespaces = new SelectedNamespaces({
    selection: configuration.namespaces, client, logger, clock, onSelected: (namespace) => work?.lookAt(namespace),
  });
  const watches: Watches = new Watches({
    client,
    applications,
    pods,
    namespaces: watchedNamespaces(configuration.namespaces),
    logger,
    clock,
    syncTimeout: configuration.cacheSyncTimeout,
    onSynced: (namespace) => {
      if (work) work.begin(namespace);
      else logger.info({ namespace }, 'caches are filled, standing by');
    },
  });
  const ownedSettings: OwnedSettings = {
    uiService: configuration.ui.service,
    driverPodDisruptionBudget: configuration.driverDisruptionBudget,
    ingress: configuration.ui.ingress,
    driverIngress: configuration.ui.driverIngress,
    removeLeftovers: configuration.removeLeftovers,
  };
  const defaults: DefaultsSource = new DefaultsSource({
    client,
    name: configuration.defaultsConfigMap,
    operatorNamespace: configuration.ownNamespace,
    namespaces: watchedNamespaces(configuration.namespaces),
    // What waits for a ConfigMap that was wrong is tried again.
    onChange: (namespace) => work?.lookAt(namespace ?? ALL_NAMESPACES),
    logger,
    clock,
  });
  const isAtWork = (namespace: string) => watches.isSynced(namespace) && isSelected(namespace);

  /** For each term of a leader anew. */
  const startWork = (): Work => {
    const queue = new WorkQueue({
      clock,
      maxBackoff: configuration.maxRetryDelay,
      // What happens to drivers is told before more of them are made: many new applications must not hold up the others' status.
      isUrgent: (key) => hasBegun(applications.get(key)),
      hooks: { onStart: (seconds) => metrics.onQueueWait(seconds) },
    });
    const submitter = newSparkSubmitter?.((key) => queue.add(key));
    const reconciler = new SparkApplicationReconciler({
      client,
      submission: { mode: configuration.submissionMode, sparkUser: configuration.sparkUser, webUIUrlFormat: webUIUrlFormat(ownedSettings) },
      sparkSubmit: submitter,
      applications,
      pods,
      events,
      clock,
      newId: randomUUID,
      owned: new OwnedObjects({ client, settings: ownedSettings, clock }),
      defaults,
      rivals: new Rivals(USER_AGENT),
      settings: {
        driverStartTimeout: configuration.driverStartTimeout,
        maxTrackedExecutors: configuration.maxTrackedExecutors,
        defaultTimeToLive: (configuration.defaultTimeToLiveSeconds ?? 0) * 1000,
      },
      onTransition: (before, after, passed) => metrics.onTransition(before, after, passed, clock.now()),
    });
    const controller = new Controller({
      name: 'spark-application',
      queue,
      workers: configuration.workers,
      // What comes before a namespace is synced or selected is added again when it is.
      reconcile: async (key, context) => (isForReconciler(key, applications, isAtWork) ? reconciler.reconcile(key, context).catch(nothingUnlessLeading) : undefined),
      onReconcile: (pass) => metrics.onReconcile(pass),
      logger,
      clock,
    });
    return new Work({ applications, pods, queue, controller, submitter, isSelected, logger });
  };

  const lead: Leadership = leadership({
    configuration: configuration.leaderElection,
    client: leaseClient,
    identity: `${instance}_${randomUUID()}`,
    lead: async (term) => {
      work = startWork();
      for (const { namespace, synced } of watches.health()) if (synced) work.begin(namespace);
      await aborted(term);
      const ending = work;
      work = undefined;
      if (term.reason instanceof NotLeaderError) {
        const timer = setTimeout(() => endWithStuckWork(logger), lostGrace(configuration.leaderElection));
        await ending.abandon();
        clearTimeout(timer);
      } else {
        await ending.stop(STOP_GRACE);
        await events.flush();
      }
    },
    logger,
    clock,
  });
  applications.subscribe((event) => metrics.onApplication(event, clock.now()));

  const servers = await serveAll(configuration, logger, {
    '/healthz': () => liveness([...namespaces.health(), ...watches.health()], lead.health()),
    '/readyz': () => readiness([...namespaces.health(), ...watches.health()], lead.health(), defaults.health()),
  }, {
    '/metrics': async () => ({ status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() }),
  });
  logger.info({ ports: { health: servers.health?.port, metrics: servers.metrics?.port } }, 'serving health and metrics');
  // Also on standby: who takes over must not have to read everything first.
  namespaces.start();
  watches.start();
  defaults.start();
  lead.start();

  return {
    async stop() {
      await lead.stop();
      await Promise.all([watches.stop(), namespaces.stop(), defaults.stop(), servers.health?.close(), servers.metrics?.close()]);
      client.close();
      leaseClient.close();
    },
  };
}

/** Milliseconds that the work may take to end when the Lease is lost: less than until another process leads. */
function lostGrace({ leaseDuration, renewDeadline }: LeaderElectionConfiguration): number {
  return Math.max(1_000, (leaseDuration - renewDeadline) * 0.8);
}

/** Whether there is a driver, or was one. */
function hasBegun(application: SparkApplication | undefined): boolean {
  return application !== undefined && !isBeginning(application);
}

/** Work that does not end could go on beside that of the next leader. */
function endWithStuckWork(logger: Logger): void {
  logger.error({}, 'the Lease is lost and the work does not end; the operator ends and is started again by Kubernetes');
  process.exit(1);
}

/** A process that does not lead any more leaves what is to be done to the next leader. */
function nothingUnlessLeading(error: unknown): undefined {
  if (!(error instanceof NotLeaderError)) throw error;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

type Paths = Record<string, () => Answer | Promise<Answer>>;

/** One server for each address: health and metrics share one if they are given the same. */
async function serveAll(
  { health, metrics: { address: metrics } }: Configuration, logger: Logger, healthPaths: Paths, metricsPaths: Paths,
): Promise<{ health?: RunningServer; metrics?: RunningServer }> {
  const onError = (error: unknown) => logger.error({ err: error }, 'a request to the health or metrics server failed');
  if (health && metrics && health.port !== 0 && health.port === metrics.port && health.host === metrics.host) {
    const shared = await serve(health, { ...healthPaths, ...metricsPaths }, onError);
    return { health: shared, metrics: shared };
  }
  return {
    health: health && await serve(health, healthPaths, onError),
    metrics: metrics && await serve(metrics, metricsPaths, onError),
  };
}

main().catch((error: unknown) => {
  const lines = error instanceof UsageError ? error.message : `cannot start: ${error instanceof Error ? error.message : String(error)}`;
  console.error(lines);
  process.exit(error instanceof UsageError ? 2 : 1);
});
