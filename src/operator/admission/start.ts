import type { CertificateHealth, CertificateSource } from './certificates/source';
import { admissionHandlers } from './handlers';
import { AdmissionServer, type AnsweredReview } from './server';
import type { AdmissionDependencies } from './dependencies';
import type { WebhookConfiguration } from '../../flags/webhook';
import { sleep, type Clock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';

/**
 * Milliseconds for which a stopping webhook keeps answering, until the Services of the cluster lead
 * elsewhere. Kubernetes removes the pod from the EndpointSlices within a second of its deletion.
 * Nodes follow within one or two (`minSyncPeriod` of kube-proxy is 1 s).
 */
const LEAVE_TIME = 5_000;

/** Milliseconds for pending answers after that. Together they take less than the kubelet's 30 s. */
const STOP_GRACE = 12_000;

/**
 * Maximum calls a second, and burst, for the reviews of a webhook. Reviews can be forged, and most
 * need no call.
 */
const MAX_REVIEW_CALLS = { qps: 200, burst: 400 } as const;

/**
 * Returns the limits of the client for reviews: those of the flags, up to the needs of reviews.
 * `qps` 0 means no limit, as for the flag.
 */
export function limitsOfReviews(
  { kubeApiQps, kubeApiBurst }: { readonly kubeApiQps: number; readonly kubeApiBurst: number },
): { readonly qps: number; readonly burst: number } {
  return { qps: Math.min(kubeApiQps, MAX_REVIEW_CALLS.qps), burst: Math.min(kubeApiBurst, MAX_REVIEW_CALLS.burst) };
}

/** Options of a webhook. */
export interface WebhookOptions {
  readonly configuration: WebhookConfiguration;
  readonly certificates: CertificateSource;
  readonly dependencies: AdmissionDependencies;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly onAnswer: (review: AnsweredReview) => void;
  /** Milliseconds for which it keeps answering after `stop`. @default 5000 */
  readonly leaveTime?: number;
}

/** Health of a webhook, for `/readyz` and metrics. */
export interface WebhookHealth {
  readonly certificate: CertificateHealth;
  /** Whether it is stopping, so that no Service should lead to it. */
  readonly leaving: boolean;
}

/** A webhook that is served. */
export interface RunningWebhook {
  readonly port: number;
  health(): WebhookHealth;
  /**
   * Keeps answering for a while, for API servers that still send reviews. Then answers pending
   * reviews, and ends.
   */
  stop(): Promise<void>;
}

/**
 * Serves the webhook. It listens at once. Handshakes fail until there is a certificate, and
 * `health` reports why there is none.
 *
 * @throws Error if it cannot listen on the port
 */
export async function startWebhook(
  { configuration, certificates, dependencies, logger, clock, onAnswer, leaveTime = LEAVE_TIME }: WebhookOptions,
): Promise<RunningWebhook> {
  const { port, minTlsVersion } = configuration;
  const server = new AdmissionServer({
    address: { port }, handlers: admissionHandlers(dependencies), certificates, minVersion: minTlsVersion, logger, clock, onAnswer,
  });
  await server.start();
  logger.info({ port: server.port }, 'serving the admission webhook');
  certificates.start();
  let leaving = false;
  return {
    port: server.port,
    health: () => ({ certificate: certificates.health(), leaving }),
    async stop() {
      leaving = true;
      server.leave();
      await sleep(clock, leaveTime);
      await server.stop(STOP_GRACE);
      await certificates.stop();
    },
  };
}
