import { refuseArguments, wrongNumber } from './_check';
import { MonitoringSpec } from '../api/monitoring';
import type { Violation } from '../model/problem';

/** Whose metrics are served, and which. */
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
   * @default - a configuration that serves everything by JMX
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
  /** Path of its jar in the image, without `local://`, such as `/opt/jmx-exporter/jmx_prometheus_javaagent.jar`. */
  readonly jar: string;

  /**
   * Port on which it serves, from 1024 to 49151. None of Spark's own: 7078, 7079 and that of the web UI, unless `sparkConf` moves them.
   *
   * @default 8090
   */
  readonly port?: number;

  /**
   * Name of that port: at most 15 lower-case letters, digits and single dashes, one of them a letter.
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

/** Metrics by the JMX exporter only. */
export interface JmxExporterMonitoringOptions extends JmxExporterOptions, MetricsOptions {}

/** Several ways at a time. */
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

/**
 * Which metrics of an application are served, and how.
 *
 * @see https://spark.apache.org/docs/latest/monitoring.html#metrics
 */
export class Monitoring {
  /**
   * By the JMX exporter of Prometheus, whose jar is in the image. Pods get the annotations `prometheus.io/scrape`, `port` and `path`.
   *
   * @param options The exporter, and whose metrics it serves.
   */
  public static jmxExporter(options: JmxExporterMonitoringOptions): Monitoring {
    const { driver, executors, metricsProperties, metricsPropertiesFile, ...jmxExporter } = options;
    return Monitoring.by('Monitoring.jmxExporter', '', { driver, executors, metricsProperties, metricsPropertiesFile, jmxExporter });
  }

  /**
   * By Spark itself, on the port of the driver's web UI; no jar in the image is needed. The driver's are at `/metrics/prometheus/`, those of all executors at
   * `/metrics/executors/prometheus`. The annotations `prometheus.io/scrape`, `port` and `path` of the driver name the first of them that is served.
   *
   * @param options Whose metrics are served.
   */
  public static prometheusServlet(options: MetricsOptions = {}): Monitoring {
    return Monitoring.by('Monitoring.prometheusServlet', '', { ...options, prometheusServlet: true });
  }

  /**
   * In several ways at a time, or by sinks of one's own, which `metricsProperties` describes.
   *
   * @param options Whose metrics are served, and how.
   */
  public static of(options: MonitoringOptions): Monitoring {
    return Monitoring.by('Monitoring.of', 'jmxExporter.', options);
  }

  private static by(factory: string, prefix: string, options: MonitoringOptions): Monitoring {
    const { driver = true, executors = true, metricsProperties, metricsPropertiesFile, jmxExporter, prometheusServlet } = options;
    refuseArguments(factory, [
      !driver && !executors ? { path: 'driver and executors', value: false, reason: 'must not both be off, as nothing is served then: leave out the monitoring' } : undefined,
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
  public _toSpec(): MonitoringSpec {
    return this.spec;
  }
}

/** Spark splits the options of a JVM as a shell does (Utils.splitCommandString); the agent splits its own at the first `=`. */
function wrongPath(path: string, value: string | undefined, special: RegExp): Violation | undefined {
  if (value === undefined) return undefined;
  if (value.startsWith('local:')) return { path, value, reason: `must be a path in the image, without local:// before it: ${value.replace(/^local:(\/\/)?/, '')}` };
  if (!value.startsWith('/')) return { path, value, reason: 'must be a path in the image, which begins with a slash' };
  return special.test(value) ? { path, value, reason: 'has blanks, quotes or other characters that an option of the JVM cannot hold: rename the file' } : undefined;
}

function wrongPortName(path: string, value: string | undefined): Violation | undefined {
  const fits = value === undefined || (value.length <= 15 && /^([a-z0-9]-?)*[a-z](-?[a-z0-9])*$/.test(value));
  return fits ? undefined : { path, value, reason: "must be at most 15 lower-case letters, digits and single '-' between them, with at least one letter" };
}

function onlyOne(path: string, value: string | undefined, other: string, otherValue: string | undefined): Violation | undefined {
  return value === undefined || otherValue === undefined ? undefined : { path, value: undefined, reason: `has no effect beside ${other}: remove one of the two` };
}
