import { missing, rejectArguments, wrongNumber } from './_check';
import { checkArguments, number, text, truth } from './_prop-types';
import { MonitoringSpec } from '../api/monitoring';
import type { Problem } from '../model/problem';
import { isPortName } from '../rules/names';

/** Selection of metrics. */
export interface MetricsOptions {
  /**
   * Whether the driver's metrics are served.
   *
   * @default true
   */
  readonly driver?: boolean;

  /**
   * Whether the executors' metrics are served.
   *
   * @default true
   */
  readonly executors?: boolean;

  /**
   * Content of `metrics.properties`.
   *
   * @see https://spark.apache.org/docs/latest/monitoring.html#metrics
   * @default - a configuration that serves all metrics by JMX
   */
  readonly metricsProperties?: string;

  /**
   * Path of a `metrics.properties` in the image, in place of `metricsProperties`.
   *
   * @default - `metricsProperties`
   */
  readonly metricsPropertiesFile?: string;
}

/** The JMX exporter of Prometheus, a Java agent that serves metrics by HTTP. */
export interface JmxExporterOptions {
  /**
   * Path of its jar in the image, without `local://`, such as
   * `/opt/jmx-exporter/jmx_prometheus_javaagent.jar`.
   */
  readonly jar: string;

  /**
   * Port of the exporter, from 1024 to 49151. It must differ from Spark's own: 7078, 7079 and that
   * of the web UI, unless `sparkConf` changes them.
   *
   * @default 8090
   */
  readonly port?: number;

  /**
   * Name of that port: at most 15 lower-case letters, digits and single dashes, one of them a
   * letter.
   *
   * @default jmx-exporter
   */
  readonly portName?: string;

  /**
   * Path of its configuration in the image, in place of `configuration`.
   *
   * @default - `configuration`
   */
  readonly configFile?: string;

  /**
   * Its configuration, as YAML.
   *
   * @default - one with rules for Spark's metrics
   */
  readonly configuration?: string;
}

/** Settings for metrics of the JMX exporter only. */
export interface JmxExporterMonitoringOptions extends JmxExporterOptions, MetricsOptions {}

/** Settings for several ways at a time. */
export interface MonitoringOptions extends MetricsOptions {
  /**
   * The JMX exporter of Prometheus.
   *
   * @default - none
   */
  readonly jmxExporter?: JmxExporterOptions;

  /**
   * Whether the driver serves metrics for Prometheus itself.
   *
   * @default false
   */
  readonly prometheusServlet?: boolean;
}

const METRICS = { driver: truth, executors: truth, metricsProperties: text, metricsPropertiesFile: text } as const;
const JMX_EXPORTER = { jar: text, port: number, portName: text, configFile: text, configuration: text } as const;

/**
 * Serves metrics of an application.
 *
 * @see https://spark.apache.org/docs/latest/monitoring.html#metrics
 */
export class Monitoring {
  /**
   * Serves metrics by the JMX exporter of Prometheus, whose jar is in the image. Pods get the
   * annotations `prometheus.io/scrape`, `port` and `path`.
   *
   * @param options Exporter, and selection of metrics.
   */
  public static jmxExporter(options: JmxExporterMonitoringOptions): Monitoring {
    options = checkArguments('Monitoring.jmxExporter', { options }, { options: { ...METRICS, ...JMX_EXPORTER } }).options;
    const { driver, executors, metricsProperties, metricsPropertiesFile, ...jmxExporter } = options;
    return Monitoring.by('Monitoring.jmxExporter', '', { driver, executors, metricsProperties, metricsPropertiesFile, jmxExporter });
  }

  /**
   * Serves metrics by Spark itself, on the port of the driver's web UI; no additional jar is
   * needed. The driver's metrics are at `/metrics/prometheus/`, those of all executors at
   * `/metrics/executors/prometheus`. The annotations `prometheus.io/scrape`, `port` and `path` of
   * the driver contain the first of them that is served.
   *
   * @param options Selection of metrics.
   */
  public static prometheusServlet(options: MetricsOptions = {}): Monitoring {
    options = checkArguments('Monitoring.prometheusServlet', { options }, { options: METRICS }).options;
    return Monitoring.by('Monitoring.prometheusServlet', '', { ...options, prometheusServlet: true });
  }

  /**
   * Serves metrics in several ways at a time, or by custom sinks in `metricsProperties`.
   *
   * @param options Selection of metrics, and the ways to serve them.
   */
  public static of(options: MonitoringOptions): Monitoring {
    options = checkArguments('Monitoring.of', { options }, { options: { ...METRICS, jmxExporter: JMX_EXPORTER, prometheusServlet: truth } }).options;
    return Monitoring.by('Monitoring.of', 'jmxExporter.', options);
  }

  private static by(factory: string, prefix: string, options: MonitoringOptions): Monitoring {
    const { driver = true, executors = true, metricsProperties, metricsPropertiesFile, jmxExporter, prometheusServlet } = options;
    rejectArguments(factory, [
      !driver && !executors ? {
        path: 'driver and executors', value: false,
        reason: 'must not both be false, because no metrics would be served: leave out the monitoring',
      } : undefined,
      jmxExporter && missing(`${prefix}jar`, jmxExporter.jar),
      wrongPath(`${prefix}jar`, jmxExporter?.jar, /[\s"'\\=]/),
      wrongPath(`${prefix}configFile`, jmxExporter?.configFile, /[\s"'\\]/),
      wrongNumber(`${prefix}port`, jmxExporter?.port, 1024, 49_151),
      wrongPortName(`${prefix}portName`, jmxExporter?.portName),
      wrongPath('metricsPropertiesFile', metricsPropertiesFile, /[\s"'\\]/),
      onlyOne(`${prefix}configuration`, jmxExporter?.configuration, `${prefix}configFile`, jmxExporter?.configFile),
      onlyOne('metricsProperties', metricsProperties, 'metricsPropertiesFile', metricsPropertiesFile),
    ]);
    return new Monitoring({
      exposeDriverMetrics: driver,
      exposeExecutorMetrics: executors,
      metricsProperties,
      metricsPropertiesFile,
      prometheusServlet,
      prometheus: jmxExporter && {
        jmxExporterJar: jmxExporter.jar,
        port: jmxExporter.port,
        portName: jmxExporter.portName,
        configFile: jmxExporter.configFile,
        configuration: jmxExporter.configuration,
      },
    });
  }

  private constructor(private readonly spec: MonitoringSpec) {}

  /** @internal */
  public _toMonitoring(): MonitoringSpec {
    return this.spec;
  }
}

/**
 * Rejects characters that would split an option: Spark splits the options of a JVM as a shell does
 * (Utils.splitCommandString), and the agent splits its own at the first `=`.
 */
function wrongPath(path: string, value: string | undefined, special: RegExp): Problem | undefined {
  if (value === undefined) return undefined;
  if (value.startsWith('local:')) {
    return { path, value, reason: `must be a path in the image, without local:// before it: ${value.replace(/^local:(\/\/)?/, '')}` };
  }
  if (!value.startsWith('/')) return { path, value, reason: 'must be a path in the image, which begins with a slash' };
  return special.test(value) ? {
    path, value, reason: 'contains blanks, quotes or other characters that an option of the JVM cannot contain: rename the file',
  } : undefined;
}

function wrongPortName(path: string, value: string | undefined): Problem | undefined {
  const fits = value === undefined || isPortName(value);
  return fits ? undefined : {
    path, value, reason: "must be at most 15 lower-case letters, digits and single '-' between them, with at least one letter",
  };
}

function onlyOne(path: string, value: string | undefined, other: string, otherValue: string | undefined): Problem | undefined {
  return value === undefined || otherValue === undefined ? undefined : {
    path, value: undefined, reason: `has no effect with ${other}: remove one of them`,
  };
}
