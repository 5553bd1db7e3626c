import { collectDefaultMetrics, Registry } from 'prom-client';
import type { AnsweredReview } from '../admission/server';
import type { CallStatistics, ReceivedBytes } from '../../kube/client-types';
import { AdmissionMetrics } from './admission';
import { Calls } from './calls';
import { addWatchFamilies } from './operator-families';
import type { Observed } from './snapshot';

/** Metrics of a process that only serves the webhook: those of docs/metrics.md that it has. */
export class WebhookMetrics {
  public readonly registry = new Registry();
  private readonly calls = new Calls();
  private readonly admission = new AdmissionMetrics();

  constructor(observed: Pick<Observed, 'namespaces' | 'defaults' | 'webhookCertificateEnd'>) {
    const { registry } = this;
    this.admission.addTo(registry, observed.webhookCertificateEnd);
    addWatchFamilies(registry, observed);
    this.calls.addTo(registry);
    collectDefaultMetrics({ register: registry });
  }

  /** Counts a call of the API. */
  onCall(call: CallStatistics): void {
    this.calls.count(call);
  }

  /** Counts a piece of an answer of the API. */
  onReceived(received: ReceivedBytes): void {
    this.calls.receive(received);
  }

  /** Counts an answer. */
  onReview(review: AnsweredReview): void {
    this.admission.onAnswer(review);
  }
}
