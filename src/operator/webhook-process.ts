import { chooseCertificates } from './admission/choose-certificates';
import { admissionDependencies } from './admission/create-dependencies';
import { limitsOfReviews, startWebhook, type RunningWebhook } from './admission/start';
import type { Configuration } from '../flags/configuration';
import { DefaultsSource } from './defaults-source';
import { KubeClient } from '../kube/client';
import { systemClock } from '../kube/clock';
import { connect } from '../kube/kube-config';
import type { Logger } from '../kube/logger';
import { OPERATOR_CLIENT } from '../model/installation';
import { webhookMetrics, type WebhookMetrics } from './metrics/webhook-registry';
import { SelectedNamespaces, watchedNamespaces } from './namespaces/selected';
import type { RunningProcess } from './operator';
import { isWatched, liveness, readinessOfWebhookAlone, webhookReadiness } from './readiness';
import { serveAll } from './serve-all';
import { submissionSettings } from '../flags/submission-settings';
import { ownedSettings, webUIUrlFormat } from './owned/settings';

/**
 * Serves only the admission webhook (`webhook start`), with any number of replicas and no leader.
 * It caches no applications. The few pods that need one cause a read of it.
 */
export async function startWebhookProcess(configuration: Configuration, logger: Logger, version: string): Promise<RunningProcess> {
  const clock = systemClock;
  const connection = connect({ kubeconfig: configuration.kubeconfig, context: configuration.context });
  const metrics: WebhookMetrics = webhookMetrics({
    namespaces: () => namespaces.health().map((health) => ({ ...health, watched: isWatched(health) })),
    defaults: () => defaults.health().map((health) => ({ ...health, watched: isWatched(health) })),
    webhookCertificateEnd: () => webhook?.health().certificate.notAfter,
    apiServer: connection.server,
  });
  let webhook: RunningWebhook | undefined;
  const clientOptions = { ...metrics.calls, userAgent: `${OPERATOR_CLIENT}/${version}`, clock };
  const client = new KubeClient(connection, { ...clientOptions, qps: configuration.kubeApiQps, burst: configuration.kubeApiBurst });
  // Reviews can be forged: their calls must not delay the certificates.
  const reviewClient = new KubeClient(connection, { ...clientOptions, ...limitsOfReviews(configuration) });
  const namespaces = new SelectedNamespaces({ selection: configuration.namespaces, client, logger, clock, onSelected: () => {} });
  const defaults = new DefaultsSource({
    client,
    name: configuration.defaultsConfigMapName,
    operatorNamespace: configuration.ownNamespace,
    namespaces: watchedNamespaces(configuration.namespaces),
    onChange: () => {},
    logger,
    clock,
  });
  namespaces.start();
  defaults.start();
  webhook = await startWebhook({
    configuration: configuration.webhook,
    certificates: chooseCertificates(configuration.webhook, client, logger, clock),
    dependencies: admissionDependencies({
      client: reviewClient,
      clock,
      isSelected: (namespace) => namespaces.has(namespace),
      submission: submissionSettings(configuration, webUIUrlFormat(ownedSettings(configuration))),
      defaults: configuration.defaultsConfigMapName === undefined ? undefined : defaults,
      minScheduleInterval: configuration.minScheduleInterval,
      quotas: configuration.webhook.quotas,
      logger,
    }),
    onAnswer: metrics.onReview,
    logger,
    clock,
  });
  const { health, stop } = webhook;
  const servers = await serveAll(configuration, logger, {
    '/healthz': () => liveness(namespaces.health()),
    '/readyz': () => readinessOfWebhookAlone(namespaces.health(), defaults.health(), webhookReadiness(health(), clock.now())),
  }, metrics.registry, clock);

  return {
    async stop() {
      await stop();
      await Promise.all([namespaces.stop(), defaults.stop(), servers.close()]);
      client.close();
      reviewClient.close();
    },
  };
}
