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
import { keyOf } from './kube/objects';
import { Reflector } from './kube/reflector';
import { Store } from './kube/store';
import { WorkQueue } from './kube/work-queue';
import { Metrics } from './metrics/registry';
import { PODS, SPARK_APPLICATIONS } from './resources';
import { withoutManagedFields, type SparkApplication } from './spark-application/model';
import { applicationKeyOf, BY_APPLICATION } from './spark-application/observe';
import { viewOf, type PodView } from './spark-application/pod-view';
import { SparkApplicationReconciler } from './spark-application/reconciler';
import { LABEL_LAUNCHED_BY } from '../api/labels';

/** The package's version, put in by the bundler. */
declare const PACKAGE_VERSION: string;

const CONTROLLER_NAME = 'spark-operator';
/** The kubelet kills after terminationGracePeriodSeconds (30 s); what is under way gets less. */
const STOP_GRACE = 15_000;
/** Milliseconds after which a silent watch makes the operator not ready. */
const MAX_SILENCE = 300_000;

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
  const metrics: Metrics = new Metrics(() => applications.list(), queue);
  const client = new KubeClient(connect({ kubeconfig: configuration.kubeconfig, context: configuration.context }), {
    qps: configuration.kubeApiQps,
    burst: configuration.kubeApiBurst,
    userAgent: `cdk8s-spark-operator/${PACKAGE_VERSION}`,
    onCall: (call) => metrics.onCall(call),
    clock,
  });
  const events = new EventRecorder({ client, reportingController: CONTROLLER_NAME, reportingInstance: process.env.POD_NAME ?? hostname(), logger, clock });

  const reconciler = new SparkApplicationReconciler({
    client,
    applications,
    pods,
    events,
    clock,
    newId: randomUUID,
    settings: { driverStartTimeout: configuration.driverStartTimeout, maxTrackedExecutors: configuration.maxTrackedExecutors },
    onTransition: (before, after) => metrics.onTransition(before, after, clock.now()),
  });
  const controller = new Controller({
    name: 'spark-application',
    queue,
    workers: configuration.workers,
    reconcile: (key, context) => reconciler.reconcile(key, context),
    onReconcile: (pass) => metrics.onReconcile(pass),
    logger,
    clock,
  });

  applications.subscribe(({ object }) => queue.add(keyOf(object.metadata)));
  pods.subscribe(({ object }) => {
    const key = applicationKeyOf(object);
    if (key) queue.add(key);
  });
  const reflectors = configuration.namespaces.flatMap((namespace) => [
    new Reflector<SparkApplication>({ client, resource: SPARK_APPLICATIONS, store: applications, project: withoutManagedFields, namespace, logger, clock }),
    new Reflector({ client, resource: PODS, store: pods, project: viewOf, namespace, labelSelector: `${LABEL_LAUNCHED_BY}=true`, logger, clock }),
  ]);

  let ready = false;
  /** A watch that works is heard from about every minute. */
  const deaf = () => reflectors.filter((reflector) => reflector.health().silentFor > MAX_SILENCE).length;
  const servers = await serveAll(configuration, logger, {
    '/healthz': () => ({ status: 200, body: 'ok\n' }),
    '/readyz': () => {
      if (!ready) return { status: 503, body: 'the caches are not filled yet\n' };
      return deaf() > 0 ? { status: 503, body: `${deaf()} of ${reflectors.length} watches have not heard from the API server for ${MAX_SILENCE / 1000} s\n` } : { status: 200, body: 'ok\n' };
    },
  }, {
    '/metrics': async () => ({ status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() }),
  });

  logger.info({ ports: { health: servers.health?.port, metrics: servers.metrics?.port } }, 'serving health and metrics');

  for (const reflector of reflectors) reflector.start();
  // Deciding with half of the pods unseen would ask the API server for each of the others.
  void Promise.all(reflectors.map((reflector) => reflector.hasSynced)).then((synced) => {
    if (!synced.every(Boolean)) return;
    ready = true;
    controller.start();
    logger.info({ applications: applications.size, pods: pods.size }, 'caches are filled, at work');
  });

  return {
    async stop() {
      ready = false;
      await Promise.all([controller.stop(STOP_GRACE), ...reflectors.map((reflector) => reflector.stop())]);
      await events.flush();
      await Promise.all([servers.health?.close(), servers.metrics?.close()]);
      client.close();
    },
  };
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
