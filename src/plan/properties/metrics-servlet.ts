import type { MonitoringSpec } from '../../api/monitoring';
import type { SparkProperties } from './spark-conf';
import { type Problem, withoutEffect } from '../../model/problem';
import { hasWebUI, webUIPort } from './web-ui';

export const SERVLET_FIELD = 'spec.monitoring.prometheusServlet';

/**
 * Path of the driver's own metrics (PrometheusServlet). Without the trailing slash, it only
 * redirects.
 */
const DRIVER_PATH = '/metrics/prometheus';
/** Path of the metrics of all executors in the driver (PrometheusResource). */
const EXECUTORS_PATH = '/metrics/executors/prometheus';

const DRIVER = 'spark.metrics.conf.driver';

/**
 * Sets the Spark properties for metrics that the driver serves on the port of its web UI. Like
 * those for the exporter, they take precedence over `sparkConf`, except for the metrics' namespace
 * and the JVM source.
 *
 * @param annotated whether the annotations by which Prometheus finds a driver are free
 */
export function setServletProperties(properties: SparkProperties, wanted: MonitoringSpec | undefined, annotated: boolean): void {
  if (!wanted?.prometheusServlet) {
    return;
  }
  const { exposeDriverMetrics, exposeExecutorMetrics } = wanted;
  if (exposeDriverMetrics) {
    properties.set(`${DRIVER}.sink.prometheusServlet.class`, 'org.apache.spark.metrics.sink.PrometheusServlet', SERVLET_FIELD);
    properties.set(`${DRIVER}.sink.prometheusServlet.path`, DRIVER_PATH, SERVLET_FIELD);
    properties.setIfMissing(`${DRIVER}.source.jvm.class`, 'org.apache.spark.metrics.source.JvmSource', SERVLET_FIELD);
    // The names of metrics contain the namespace. By default, it is the application ID, so each run
    // would have different metrics. The pod's labels identify the application.
    properties.setIfMissing('spark.metrics.namespace', 'spark', SERVLET_FIELD);
  }
  if (exposeExecutorMetrics) {
    // The default since Spark 4.
    properties.set('spark.ui.prometheus.enabled', 'true', SERVLET_FIELD);
  }
  const port = webUIPort({ 'spark.ui.port': properties.get('spark.ui.port') ?? '' });
  if (annotated && port !== 0 && (exposeDriverMetrics || exposeExecutorMetrics)) {
    const annotations = { scrape: 'true', port: String(port), path: exposeDriverMetrics ? `${DRIVER_PATH}/` : EXECUTORS_PATH };
    for (const [name, value] of Object.entries(annotations)) {
      properties.set(`spark.kubernetes.driver.annotation.prometheus.io/${name}`, value, SERVLET_FIELD);
    }
  }
}

/** Returns warnings if the servlet serves nothing, or Prometheus cannot find it. */
export function servletWarnings(
  { sparkConf }: { readonly sparkConf?: { readonly [key: string]: string } }, nothingExposed: string | undefined,
): Problem[] {
  if (nothingExposed !== undefined) {
    return [withoutEffect(SERVLET_FIELD, nothingExposed)];
  }
  if (!hasWebUI(sparkConf)) {
    return [withoutEffect(SERVLET_FIELD, ': the web UI serves the metrics, and spec.sparkConf[spark.ui.enabled] is false')];
  }
  return webUIPort(sparkConf) === 0
    ? [{
      path: SERVLET_FIELD, reason: 'is unreachable for Prometheus: spec.sparkConf[spark.ui.port] = 0 lets Spark choose the port',
      severity: 'warning',
    }]
    : [];
}
