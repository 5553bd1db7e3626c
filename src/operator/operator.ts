import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { chooseCertificates } from './admission/choose-certificates';
import { admissionDependencies } from './admission/create-dependencies';
import { limitsOfReviews, startWebhook, type RunningWebhook } from './admission/start';
import type { Configuration } from '../flags/configuration';
import type { KindController, RuntimeDependencies } from './runtime/kind-controller';
import { DefaultsSource } from './defaults-source';
import { OPERATOR_CLIENT, writerOf } from '../model/installation';
import type { PodView } from '../model/pod-view';
import { KubeClient } from '../kube/client';
import { PooledTransport } from '../kube/pooled-transport';
import { systemClock } from '../kube/clock';
import { EventRecorder } from '../kube/events';
import { connect } from '../kube/kube-config';
import type { Logger } from '../kube/logger';
import { Store } from '../kube/store';
import { graceWhenLost, leadKinds } from './runtime/lead';
import { leadership, type Leadership } from './runtime/leadership';
import { garbageCollector, trimMemory } from './memory-trim';
import { ConnectMetrics } from './metrics/connects';
import { Metrics } from './metrics/registry';
import { countRuns } from './metrics/schedules';
import { SelectedNamespaces, watchedNamespaces } from './namespaces/selected';
import { isWatched, liveness, readiness, webhookReadiness } from './readiness';
import { BY_SCHEDULE_KEY, scheduleKeyOfDriver } from './kinds/scheduled-spark-application/drivers';
import { intervalLimit } from '../plan/schedule/interval-limit';
import { scheduledSparkApplications } from './kinds/scheduled-spark-application/kind';
import { BY_SCHEDULE, scheduleUidsOf } from '../model/scheduled-spark-application';
import { serveAll } from './serve-all';
import { sparkApplications } from './kinds/spark-application/kind';
import type { SparkApplication } from '../model/spark-application';
import { applicationKeyOf, BY_APPLICATION } from './kinds/spark-application/observe';
import { OwnedObjects } from './kinds/spark-application/owned/owned-objects';
import { sparkConnects } from './kinds/spark-connect/kind';
import { BY_CONNECT, connectKeyOf, type SparkConnect } from '../model/spark-connect';
import { FairSemaphore } from '../kube/fair-semaphore';
import { submissionSettings } from '../flags/submission-settings';
import { ownedSettings, webUIUrlFormat } from './owned/settings';
import { ALL_NAMESPACES } from './watches';

const CONTROLLER_NAME = 'spark-operator';
/** The kubelet kills after terminationGracePeriodSeconds (30 s), so work in progress gets less. */
const STOP_GRACE = 15_000;

/**
 * Maximum number of events that wait for their write. If thousands of schedules are due in the same
 * minute, each has an event about its run.
 */
const EVENTS_WAITING = 10_000;

/**
 * Maximum number of concurrent lists. They keep a processor busy with reading, and their pages take
 * little memory.
 */
const LISTS = 4;

/** A process that runs until it is stopped. */
export interface RunningProcess {
  /** Ends in order. */
  stop(): Promise<void>;
}

/** Returns the name under which the operator writes; see `writerOf`. */
function writerNameOf({ leaderElection: { enabled, lockNamespace, lockName }, ownNamespace }: Configuration, instance: string): string {
  return writerOf(lockNamespace ?? ownNamespace, enabled ? { lock: lockName } : { instance });
}

/**
 * Wires the parts together and starts them. Resolves when the operator works or is on standby; it
 * is ready when /readyz answers so.
 */
export async function startOperator(configuration: Configuration, logger: Logger, version: string): Promise<RunningProcess> {
  const clock = systemClock;
  const instance = process.env.POD_NAME ?? hostname();
  const onListenerError = (error: Error) => logger.error({ err: error }, 'a change could not be passed on');
  const applications = new Store<SparkApplication>({ indexes: { [BY_SCHEDULE]: scheduleUidsOf }, onListenerError });
  const connects = new Store<SparkConnect>({ onListenerError });
  const pods = new Store<PodView>({
    indexes: { [BY_APPLICATION]: applicationKeyOf, [BY_CONNECT]: connectKeyOf, [BY_SCHEDULE_KEY]: scheduleKeyOfDriver }, onListenerError,
  });
  const isSelected = (namespace: string) => namespaces.has(namespace);
  const enqueueAll = (namespace: string) => kinds.forEach((kind) => kind.enqueueAll(namespace));
  const connection = connect({ kubeconfig: configuration.kubeconfig, context: configuration.context });
  const metrics: Metrics = new Metrics({
    applications: () => applications.list().filter(({ metadata }) => isSelected(metadata.namespace!)),
    pods: () => pods.list().filter(({ metadata }) => isSelected(metadata.namespace!)),
    controllers: () => kinds.map((kind) => kind.load()),
    namespaces: () => applicationKind.health().map((health) => ({ ...health, watched: isWatched(health) })),
    kinds: () => kinds.slice(1).flatMap(
      (kind) => kind.health().map((health) => ({ controller: kind.name, namespace: health.namespace, watched: isWatched(health) })),
    ),
    defaults: () => defaults.health().map((health) => ({ ...health, watched: isWatched(health) })),
    events: () => events.dropped,
    leading: () => lead.leads(),
    lease: configuration.leaderElection.lockName,
    apiServer: connection.server,
    webhookCertificateEnd: () => webhook?.health().certificate.notAfter,
  }, configuration.metrics);
  const connectMetrics = new ConnectMetrics(metrics.registry, {
    connects: () => connects.list().filter(({ metadata }) => isSelected(metadata.namespace)), leading: () => lead.leads(),
  });
  const onCount = countRuns(metrics.registry);
  const servesWebhook = configuration.webhook.mode === 'here';
  let webhook: RunningWebhook | undefined;

  const clientOptions = { ...metrics.calls, userAgent: `${OPERATOR_CLIENT}/${version}`, clock };
  const writer = writerNameOf(configuration, instance);
  const client = new KubeClient(connection, {
    ...clientOptions, userAgent: `${writer}/${version}`, qps: configuration.kubeApiQps, burst: configuration.kubeApiBurst,
    guard: (call) => lead.guard(call), newTransport: (to, sockets) => new PooledTransport(to, sockets),
  });
  const leaseClient = new KubeClient(connection, { ...clientOptions, qps: 0 });
  // This client has no fencing, as standby replicas also serve and renew certificates. It does not
  // wait behind the calls of the others.
  const webhookClients = servesWebhook ? {
    certificates: new KubeClient(connection, { ...clientOptions, qps: 0 }),
    reviews: new KubeClient(connection, { ...clientOptions, ...limitsOfReviews(configuration) }),
  } : undefined;
  const events = new EventRecorder({
    client, reportingController: CONTROLLER_NAME, reportingInstance: instance, capacity: EVENTS_WAITING, logger, clock,
  });

  const namespaces: SelectedNamespaces = new SelectedNamespaces({
    selection: configuration.namespaces, client, logger, clock, onSelected: enqueueAll,
  });
  const owned = ownedSettings(configuration);
  const submission = submissionSettings(configuration, webUIUrlFormat(owned));
  const defaults: DefaultsSource = new DefaultsSource({
    client,
    name: configuration.defaultsConfigMapName,
    operatorNamespace: configuration.ownNamespace,
    namespaces: watchedNamespaces(configuration.namespaces),
    // Applications that wait for an invalid ConfigMap are reconciled again.
    onChange: (namespace) => enqueueAll(namespace ?? ALL_NAMESPACES),
    logger,
    clock,
  });
  const dependencies: RuntimeDependencies = {
    client,
    namespaces: watchedNamespaces(configuration.namespaces),
    isSelected,
    syncTimeout: configuration.cacheSyncTimeout,
    lists: new FairSemaphore({ limit: LISTS }),
    workers: configuration.workers,
    maxRetryDelay: configuration.maxRetryDelay,
    metrics: metrics.controllers,
    logger,
    clock,
  };
  const applicationKind: KindController = sparkApplications({
    applications,
    pods,
    schedulesWait: () => scheduleKind.depth > 0,
    reconcilerOptions: () => ({
      submission,
      events,
      newId: randomUUID,
      owned: new OwnedObjects({ client, settings: owned, clock }),
      defaults,
      writer,
      settings: {
        driverStartTimeout: configuration.driverStartTimeout,
        sparkSubmitTimeout: configuration.sparkSubmitTimeout,
        maxTrackedExecutors: configuration.maxTrackedExecutors,
        defaultTimeToLive: (configuration.defaultTimeToLiveSeconds ?? 0) * 1000,
        partialRestart: submission.partialRestart,
      },
      onTransition: (before, after, passed, failures) => metrics.onTransition(before, after, passed, clock.now(), failures),
    }),
  }, dependencies);
  const connectKind = sparkConnects({
    connects,
    pods,
    podsOf: applicationKind,
    owned,
    reconcilerOptions: () => ({
      submission,
      events,
      defaults,
      writer,
      startTimeout: configuration.driverStartTimeout,
      onWritten: (before, after) => connectMetrics.onWritten(before, after),
      onIdle: (unused) => connectMetrics.onIdle(unused),
    }),
  }, dependencies);
  const scheduleKind: KindController = scheduledSparkApplications({
    applications,
    pods,
    runs: applicationKind,
    reconcilerOptions: () => ({
      events,
      writer,
      precision: configuration.timestampPrecision,
      intervalLimit: (namespace) => intervalLimit(configuration.minScheduleInterval, defaults.current(namespace)),
      onCount,
    }),
    onListenerError,
  }, dependencies);
  const kinds: readonly KindController[] = [applicationKind, connectKind, scheduleKind];
  const lead: Leadership = leadership({
    configuration: configuration.leaderElection,
    client: leaseClient,
    identity: `${instance}_${randomUUID()}`,
    lead: (term) => leadKinds(kinds, term, {
      grace: STOP_GRACE, lostGrace: graceWhenLost(configuration.leaderElection), onStuck: () => endWithStuckWork(logger), clock,
    }),
    finish: () => events.flush(),
    logger,
    clock,
  });
  applications.subscribe((event) => metrics.onApplication(event, clock.now()));

  if (webhookClients) {
    webhook = await startWebhook({
      configuration: configuration.webhook,
      certificates: chooseCertificates(configuration.webhook, webhookClients.certificates, logger, clock),
      dependencies: admissionDependencies({
        client: webhookClients.reviews,
        clock,
        isSelected,
        submission,
        defaults: configuration.defaultsConfigMapName === undefined ? undefined : defaults,
        minScheduleInterval: configuration.minScheduleInterval,
        known: (namespace, name) => (applicationKind.isSynced(namespace) ? applications.get({ namespace, name }) : undefined),
        quotas: configuration.webhook.quotas,
        logger,
      }),
      onAnswer: metrics.onReview,
      logger,
      clock,
    });
  }

  const servers = await serveAll(configuration, logger, {
    '/healthz': () => liveness([...namespaces.health(), ...applicationKind.health()], lead.health()),
    '/readyz': () => readiness(
      [...namespaces.health(), ...applicationKind.health()], lead.health(), defaults.health(),
      webhook && webhookReadiness(webhook.health(), clock.now()), kinds.slice(1),
    ),
  }, metrics.registry, clock);
  const collect = garbageCollector();
  const stopTrimming = collect && trimMemory({ rss: () => process.memoryUsage.rss(), collect, logger, clock });
  // Also on standby, so that a new leader has filled caches.
  namespaces.start();
  for (const kind of kinds) kind.start();
  defaults.start();
  lead.start();

  return {
    async stop() {
      stopTrimming?.();
      // The webhook continues for a while, until API servers call other replicas; both end in
      // parallel.
      await Promise.all([lead.stop(), webhook?.stop()]);
      await Promise.all([...kinds.map((kind) => kind.stop()), namespaces.stop(), defaults.stop(), servers.close()]);
      for (const each of [client, leaseClient, ...Object.values(webhookClients ?? {})]) each.close();
    },
  };
}

/**
 * Ends the process: work that does not end could continue together with that of the next leader.
 */
function endWithStuckWork(logger: Logger): void {
  logger.error({}, 'the work was broken off and does not end; the operator ends and is started again by Kubernetes');
  process.exit(1);
}
