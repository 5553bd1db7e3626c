import { Duration } from 'cdk8s';

/** What Prometheus reads of the operator. */
export interface OperatorMetrics {
  /**
   * Whether there are metrics at all.
   *
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * What the names of metrics about applications begin with.
   *
   * @default - nothing
   */
  readonly prefix?: string;

  /**
   * Labels of applications that metrics about them get. Each combination of values is a series of its own: name only labels with few values.
   *
   * @default - none
   */
  readonly applicationLabels?: string[];

  /**
   * What makes the Prometheus operator scrape them. The cluster needs its custom resource definitions.
   *
   * @default - nothing; the Service `<operator>-metrics` exists for other ways
   */
  readonly monitor?: PrometheusMonitor;
}

/** How the Prometheus operator scrapes. */
export interface PrometheusMonitorProps {
  /**
   * Time between two scrapes.
   *
   * @default - Prometheus' own
   */
  readonly interval?: Duration;

  /**
   * Longer no scrape may take. Prometheus refuses more than `interval`.
   *
   * @default - Prometheus' own
   */
  readonly scrapeTimeout?: Duration;

  /**
   * Labels of the object, by which a Prometheus selects what it scrapes (`podMonitorSelector`, `serviceMonitorSelector`), such as `release: prometheus`.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Namespace of the object, for a Prometheus that looks only there. The name of the object then ends in the operator's namespace.
   *
   * @default - that of the operator
   */
  readonly namespace?: string;
}

/** An object of the Prometheus operator (`monitoring.coreos.com/v1`) that makes it scrape the operator's metrics. */
export class PrometheusMonitor {
  /** A PodMonitor: scrapes the pods. */
  public static podMonitor(props: PrometheusMonitorProps = {}): PrometheusMonitor {
    return new PrometheusMonitor('PodMonitor', props);
  }

  /** A ServiceMonitor: scrapes the pods that the Service leads to, those that are ready. */
  public static serviceMonitor(props: PrometheusMonitorProps = {}): PrometheusMonitor {
    return new PrometheusMonitor('ServiceMonitor', props);
  }

  /** @internal */
  public readonly _kind: 'PodMonitor' | 'ServiceMonitor';
  /** @internal */
  public readonly _props: PrometheusMonitorProps;

  private constructor(kind: 'PodMonitor' | 'ServiceMonitor', props: PrometheusMonitorProps) {
    const { interval, scrapeTimeout } = props;
    if (interval && scrapeTimeout && scrapeTimeout.toMilliseconds() > interval.toMilliseconds()) {
      throw new Error(`PrometheusMonitor: scrapeTimeout is ${text(scrapeTimeout)}, which is longer than interval, ${text(interval)}; Prometheus refuses that`);
    }
    this._kind = kind;
    this._props = props;
  }

  /**
   * The manifest.
   *
   * @internal
   */
  public _toManifest(
    name: string, namespace: string, labels: { readonly [key: string]: string }, port: string,
  ): { apiVersion: string; kind: string; metadata: object; spec: object } {
    const { interval, scrapeTimeout, labels: own, namespace: ownNamespace = namespace } = this._props;
    const endpoint = {
      port,
      path: '/metrics',
      // Those about applications have a label `namespace` that is theirs.
      honorLabels: true,
      ...(interval && { interval: text(interval) }),
      ...(scrapeTimeout && { scrapeTimeout: text(scrapeTimeout) }),
    };
    return {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: this._kind,
      // Beside those of other operators.
      metadata: { name: ownNamespace === namespace ? name : `${name}-${namespace}`, namespace: ownNamespace, ...(own && { labels: own }) },
      spec: {
        ...(ownNamespace !== namespace && { namespaceSelector: { matchNames: [namespace] } }),
        selector: { matchLabels: labels },
        ...(this._kind === 'PodMonitor' ? { podMetricsEndpoints: [endpoint] } : { endpoints: [endpoint] }),
      },
    };
  }
}

/** As Prometheus writes it. */
function text(duration: Duration): string {
  const ms = duration.toMilliseconds();
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
