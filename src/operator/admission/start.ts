import type { CertificateHealth, CertificateSource } from './certificates/source';
import { admissionHandlers } from './handlers';
import { AdmissionServer, type AnsweredReview } from './server';
import type { AdmissionDependencies } from './world';
import type { WebhookConfiguration } from '../../flags/webhook';
import { sleep, type Clock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';

/**
 * Milliseconds for which a webhook goes on to answer after it was told to end: until the Services of the cluster lead elsewhere. The pod is taken out of the
 * EndpointSlices within a second of its deletion, and nodes follow within one or two (`minSyncPeriod` of kube-proxy is 1 s).
 */
const LEAVE_TIME = 5_000;

/** Milliseconds that answers under way get then. Together with the above it is less than the kubelet's 30 s. */
const STOP_GRACE = 12_000;

/** Calls a second, and at once, for the reviews of a webhook: they can be forged, and most need none. */
const MAX_REVIEW_CALLS = { qps: 200, burst: 400 } as const;

/** The limits of the client that reviews are answered with: those of the flags, unless they are higher than what reviews need. `qps` 0: no limit, which is what the flag says. */
export function limitsOfReviews({ kubeApiQps, kubeApiBurst }: { readonly kubeApiQps: number; readonly kubeApiBurst: number }): { readonly qps: number; readonly burst: number } {
  return { qps: Math.min(kubeApiQps, MAX_REVIEW_CALLS.qps), burst: Math.min(kubeApiBurst, MAX_REVIEW_CALLS.burst) };
}

/** What a webhook is started with. */
export interface WebhookOptions {
  readonly configuration: WebhookConfiguration;
  readonly certificates: CertificateSource;
  readonly dependencies: AdmissionDependencies;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly onAnswer: (review: AnsweredReview) => void;
  /** Milliseconds for which it goes on to answer when it is told to end. @default 5000 */
  readonly leaveTime?: number;
}

/** What `/readyz` and metrics tell of a webhook. */
export interface WebhookHealth {
  readonly certificate: CertificateHealth;
  /** It has been told to end, and is not to be asked any more. */
  readonly leaving: boolean;
}

/** A webhook that is served. */
export interface RunningWebhook {
  readonly port: number;
  health(): WebhookHealth;
  /** Goes on for a while, for API servers that have not heard of it yet, answers what is under way, and ends. */
  stop(): Promise<void>;
}

/**
 * Serves the webhook. It listens at once; until there is a certificate handshakes fail, and `health` says why there is none.
 *
 * @throws Error if the port cannot be listened on
 */
export async function startWebhook({ configuration, certificates, dependencies: world, logger, clock, onAnswer, leaveTime = LEAVE_TIME }: WebhookOptions): Promise<RunningWebhook> {
  const { port, minTlsVersion } = configuration;
  const server = new AdmissionServer({ address: { port }, handlers: admissionHandlers(world), certificates, minVersion: minTlsVersion, logger, clock, onAnswer });
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
