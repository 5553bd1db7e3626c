import { Duration } from 'cdk8s';
import { checkArguments, duration, text, texts } from '../props/_prop-types';

/** Metrics of the operator for Prometheus. */
export interface OperatorMetrics {
  /**
   * Whether metrics are served.
   *
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * Port of the pods and of the Service.
   *
   * @default 8080
   */
  readonly port?: number;

  /**
   * Prefix of the names of metrics about applications.
   *
   * @default - none
   */
  readonly prefix?: string;

  /**
   * Labels of applications that become labels of their metrics. Each combination of values is a
   * separate series: choose only labels with few values.
   *
   * @default ['app_type']
   */
  readonly applicationLabels?: string[];

  /**
   * Object with which the Prometheus operator scrapes the metrics. The cluster needs its custom
   * resource definitions.
   *
   * @default - none; the Service `<operator>-metrics` exists for other scrapers
   */
  readonly monitor?: PrometheusMonitor;
}

/** Settings for scraping by the Prometheus operator. */
export interface PrometheusMonitorProps {
  /**
   * Time between two scrapes.
   *
   * @default - Prometheus' own
   */
  readonly interval?: Duration;

  /**
   * Timeout of a scrape. Prometheus rejects one above `interval`.
   *
   * @default - Prometheus' own
   */
  readonly scrapeTimeout?: Duration;

  /**
   * Labels of the object, by which a Prometheus selects it (`podMonitorSelector`,
   * `serviceMonitorSelector`), such as `release: prometheus`.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Label of the pods (of a PodMonitor) or the Service whose value becomes the label `job` of the
   * series.
   *
   * @default - Prometheus' own: the name of the object or the Service
   */
  readonly jobLabel?: string;

  /**
   * Namespace of the object, for a Prometheus that reads only that one. The name of the object then
   * ends in the operator's namespace.
   *
   * @default - that of the operator
   */
  readonly namespace?: string;
}

/**
 * An object of the Prometheus operator (`monitoring.coreos.com/v1`) that makes it scrape the
 * operator's metrics.
 */
export class PrometheusMonitor {
  /** A PodMonitor: scrapes the pods. */
  public static podMonitor(props: PrometheusMonitorProps = {}): PrometheusMonitor {
    return new PrometheusMonitor('PodMonitor', props);
  }

  /** A ServiceMonitor: scrapes the ready pods of the Service. */
  public static serviceMonitor(props: PrometheusMonitorProps = {}): PrometheusMonitor {
    return new PrometheusMonitor('ServiceMonitor', props);
  }

  /** @internal */
  public readonly _kind: 'PodMonitor' | 'ServiceMonitor';
  /** @internal */
  public readonly _props: PrometheusMonitorProps;

  private constructor(kind: 'PodMonitor' | 'ServiceMonitor', props: PrometheusMonitorProps) {
    props = checkArguments('PrometheusMonitor', { props }, { props: { interval: duration, scrapeTimeout: duration, labels: texts, jobLabel: text, namespace: text } }).props;
    const { interval, scrapeTimeout } = props;
    if (interval && scrapeTimeout && scrapeTimeout.toMilliseconds() > interval.toMilliseconds()) {
      throw new Error(
        `PrometheusMonitor: scrapeTimeout is ${goDuration(scrapeTimeout)}, which is longer than interval, ${goDuration(interval)}; Prometheus rejects that`,
      );
    }
    this._kind = kind;
    this._props = props;
  }

  /**
   * Returns the manifest.
   *
   * @internal
   */
  public _toManifest(
    name: string, namespace: string, labels: { readonly [key: string]: string }, port: string,
  ): { apiVersion: string; kind: string; metadata: object; spec: object } {
    const { interval, scrapeTimeout, labels: own, jobLabel, namespace: ownNamespace = namespace } = this._props;
    const endpoint = {
      port,
      path: '/metrics',
      // Metrics about applications have their own label `namespace`.
      honorLabels: true,
      ...(interval && { interval: goDuration(interval) }),
      ...(scrapeTimeout && { scrapeTimeout: goDuration(scrapeTimeout) }),
    };
    return {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: this._kind,
      // Distinguishes it from those of other operators.
      metadata: { name: ownNamespace === namespace ? name : `${name}-${namespace}`, namespace: ownNamespace, ...(own && { labels: own }) },
      spec: {
        ...(ownNamespace !== namespace && { namespaceSelector: { matchNames: [namespace] } }),
        ...(jobLabel !== undefined && { jobLabel }),
        selector: { matchLabels: labels },
        ...(this._kind === 'PodMonitor' ? { podMetricsEndpoints: [endpoint] } : { endpoints: [endpoint] }),
      },
    };
  }
}

/** Formats a duration for Prometheus. */
function goDuration(value: Duration): string {
  const ms = value.toMilliseconds();
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
