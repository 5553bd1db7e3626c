import { Distribution } from './distribution';
import type { Labels } from './family';
import type { MetricsSettings } from './settings';

/** Counts for applications with the same labels, as plain numbers, which are cheap. */
export class Series {
  created = 0;
  submitted = 0;
  failedSubmissions = 0;
  succeeded = 0;
  failed = 0;
  executorsSucceeded = 0;
  executorsFailed = 0;
  /** Seconds that attempts took. */
  readonly successTime = new Distribution();
  readonly failureTime = new Distribution();
  /** Seconds since the creation of the application. */
  readonly submitLatency: Distribution;
  readonly startLatency: Distribution;

  constructor(readonly labels: Labels, settings: MetricsSettings) {
    this.submitLatency = new Distribution(settings.submitLatencyBuckets);
    this.startLatency = new Distribution(settings.startLatencyBuckets);
  }
}
