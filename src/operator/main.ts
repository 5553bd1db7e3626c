import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import pino from 'pino';
import { parseConfiguration, usage, UsageError, type Configuration } from './configuration';
import { serve, type Answer, type RunningServer } from './http-server';
import { KubeClient } from './kube/client';
import { systemClock } from './kube/clock';
import { Controller } from './kube/controller';
import { EventRecorder } from './kube/events';
import { connect } from './kube/kube-config';
import type { Logger } from './kube/logger';
import { keyOf, parseKey } from './kube/objects';
import { Store } from './kube/store';
import { WorkQueue } from './kube/work-queue';
import { Metrics } from './metrics/registry';
import { isWatched, readiness } from './readiness';
import type { SparkApplication } from './spark-application/model';
import { applicationKeyOf, BY_APPLICATION } from './spark-application/observe';
import type { PodView } from './spark-application/pod-view';
import { SparkApplicationReconciler } from './spark-application/reconciler';
import { SparkSubmitter } from './spark-application/spark-submitter';
import { Watches } from './spark-application/watches';
import { masterUrl } from './submission/spark-submit/arguments';
import { createSparkSubmitRunner } from './submission/spark-submit/defaults';

/** The package's version, put in by the bundler. */
declare const PACKAGE_VERSION: string;

const CONTROLLER_NAME = 'spark-operator';
/** The kubelet kills after terminationGracePeriodSeconds (30 s); what is under way gets less. */
const STOP_GRACE = 15_000;

/** Starts the operator: flags, then configuration, then the parts and how they fit. */
async function main(): Promise<void> {
  const configuration = parseConfiguration(process.argv.slice(2));
  if (configuration === 'help') return void console.log(usage());
  if (configuration === 'version') return void console.log(PACKAGE_VERSION);
  const logger = pino({ level: configuration.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'unexpected error, the operator ends and is started again by Kubernetes');
    process.exit(1);
  });
  logger.info({ version: PACKAGE_VERSION, node: process.versions.node, ...configuration }, 'starting');
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

/** Wires the parts together and starts them. Resolves when the operator is at work; it is ready when /readyz says so. */
async function start(configuration: Configuration, logger: Logger): Promise<{ stop(): Promise<void> }> {
  const clock = systemClock;
  const onListenerError = (error: Error) => logger.error({ err: error }, 'a change could not be passed on');
  const applications = new Store<SparkApplication>({ onListenerError });
  const pods = new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf }, onListenerError });
  const queue = new WorkQueue({ clock, hooks: { onStart: (seconds) => metrics.onQueueWait(seconds) } });
  const metrics: Metrics = new Metrics({
    applications: () => applications.list(),
    pods: () => pods.list(),
    queue,
    namespaces: () => watches.health().map((health) => ({ ...health, watched: isWatched(health) })),
    events: () => events.dropped,
    leading: () => true,
  });
  const client = new KubeClient(connect({ kubeconfig: configuration.kubeconfig, context: configuration.context }), {
    qps: configuration.kubeApiQps,
    burst: configuration.kubeApiBurst,
    userAgent: `cdk8s-spark-operator/${PACKAGE_VERSION}`,
    onCall: (call) => metrics.onCall(call),
    clock,
  });
  const events = new EventRecorder({ client, reportingController: CONTROLLER_NAME, reportingInstance: process.env.POD_NAME ?? hostname(), logger, clock });

  const sparkSubmit = await sparkSubmitter(configuration, logger, (key) => queue.add(key));
  const reconciler = new SparkApplicationReconciler({
    client,
    submission: { mode: configuration.submissionMode, sparkUser: configuration.sparkUser },
    sparkSubmit,
    applications,
    pods,
    events,
    clock,
    newId: randomUUID,
    settings: { driverStartTimeout: configuration.driverStartTimeout, maxTrackedExecutors: configuration.maxTrackedExecutors, defaultTimeToLive: 0 },
    onTransition: (before, after, passed) => metrics.onTransition(before, after, passed, clock.now()),
  });
  const watches = new Watches({
    client,
    applications,
    pods,
    namespaces: configuration.namespaces,
    logger,
    clock,
    onSynced: (namespace) => {
      const found = applications.list().filter(({ metadata }) => metadata.namespace === namespace);
      logger.info({ namespace, applications: found.length }, 'caches are filled, at work');
      for (const { metadata } of found) queue.add(keyOf(metadata));
    },
  });
  const controller = new Controller({
    name: 'spark-application',
    queue,
    workers: configuration.workers,
    // What comes before a namespace is synced is added again when it is.
    reconcile: async (key, context) => (watches.isSynced(parseKey(key).namespace!) ? reconciler.reconcile(key, context) : undefined),
    onReconcile: (pass) => metrics.onReconcile(pass),
    logger,
    clock,
  });
  applications.subscribe((event) => metrics.onApplication(event, clock.now()));
  applications.subscribe(({ object }) => queue.add(keyOf(object.metadata)));
  pods.subscribe(({ object }) => {
    const key = applicationKeyOf(object);
    if (key) queue.add(key);
  });

  const servers = await serveAll(configuration, logger, {
    '/healthz': () => ({ status: 200, body: 'ok\n' }),
    '/readyz': () => readiness(watches.health()),
  }, {
    '/metrics': async () => ({ status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() }),
  });
  logger.info({ ports: { health: servers.health?.port, metrics: servers.metrics?.port } }, 'serving health and metrics');
  watches.start();
  controller.start();

  return {
    async stop() {
      await Promise.all([controller.stop(STOP_GRACE), watches.stop()]);
      await sparkSubmit?.stop();
      await events.flush();
      await Promise.all([servers.health?.close(), servers.metrics?.close()]);
      client.close();
    },
  };
}

/** spark-submit, if this image has it; only inside of a cluster, where it knows the API server. */
async function sparkSubmitter({ sparkSubmit, sparkUser }: Configuration, logger: Logger, onEnd: (key: string) => void): Promise<SparkSubmitter | undefined> {
  const { timeout, concurrency, folders, packages } = sparkSubmit;
  const environment = { ...process.env, SPARK_USER: sparkUser };
  const runner = createSparkSubmitRunner({ environment, timeout, ...(concurrency && { concurrency }), logger, clock: systemClock });
  const master = masterUrl(process.env);
  const available = master !== undefined && await runner.isAvailable();
  logger.info({ sparkSubmit: available }, available ? 'what cannot be submitted natively is submitted by spark-submit' : 'there is no spark-submit here, all applications are submitted natively');
  return available ? new SparkSubmitter({ runner, master, permissions: { folders, packages }, onEnd }) : undefined;
}

type Paths = Record<string, () => Answer | Promise<Answer>>;

/** One server for each address: health and metrics share one if they are given the same. */
async function serveAll({ health, metrics }: Configuration, logger: Logger, healthPaths: Paths, metricsPaths: Paths): Promise<{ health?: RunningServer; metrics?: RunningServer }> {
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
