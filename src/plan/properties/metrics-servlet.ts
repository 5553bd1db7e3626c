import type { MonitoringSpec } from '../../api/monitoring';
import type { SparkProperties } from './spark-conf';
import { type Problem, withoutEffect } from '../../model/problem';
import { hasWebUI, webUIPort } from './web-ui';

export const SERVLET_FIELD = 'spec.monitoring.prometheusServlet';

/** The driver's own metrics (PrometheusServlet). Without the slash at its end the path is only redirected. */
const DRIVER_PATH = '/metrics/prometheus';
/** Those of all executors, as the driver knows them (PrometheusResource). */
const EXECUTORS_PATH = '/metrics/executors/prometheus';

const DRIVER = 'spark.metrics.conf.driver';

/**
 * Sets the Spark properties for the metrics that the driver serves itself, on the port of its web UI. Like the fields for the exporter they win over
 * `sparkConf`, but for the namespace of the metrics, and the source of the JVM's.
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
    // Names are made of it, and by default it is the id of the application: each run would have metrics of its own. Labels of the pod tell the application.
    properties.setIfMissing('spark.metrics.namespace', 'spark', SERVLET_FIELD);
  }
  if (exposeExecutorMetrics) {
    // By default so since Spark 4.
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

/** Why the servlet serves nothing, or nobody finds it. */
export function servletWarnings({ sparkConf }: { readonly sparkConf?: { readonly [key: string]: string } }, nothingExposed: string | undefined): Problem[] {
  if (nothingExposed !== undefined) {
    return [withoutEffect(SERVLET_FIELD, nothingExposed)];
  }
  if (!hasWebUI(sparkConf)) {
    return [withoutEffect(SERVLET_FIELD, ': the web UI serves the metrics, and spec.sparkConf[spark.ui.enabled] is false')];
  }
  return webUIPort(sparkConf) === 0
    ? [{ path: SERVLET_FIELD, reason: 'cannot be found: spec.sparkConf[spark.ui.port] = 0 lets Spark choose the port', severity: 'warning' }]
    : [];
}
