import { PortProtocol } from '../../api/spark-pod';
import { SubmissionError } from '../errors';
import { configMapVolumeName, withConfigMaps } from './config-map-volume';
import { onSparkContainer } from './container';
import { type Concern, type PodCustomization } from './pod-template';
import { isSamePort, withPort } from './ports';
import { portsBySpark } from './spark-additions';

/** Mount path of the ConfigMap for metrics. */
export const METRICS_DIRECTORY = '/etc/metrics/conf';

const FIELD = 'spec.monitoring.prometheus';

/**
 * Metrics: mounts the configuration as a read-only folder of Spark's container, and adds the port.
 */
export const metrics: Concern = (spec, request) => {
  const { configMapName: configMap } = request.metrics ?? {};
  const mounted = configMap === undefined ? spec : withConfigMaps(spec, request, [{
    configMap, volume: configMapVolumeName(configMap), path: METRICS_DIRECTORY, field: FIELD,
  }]);
  return withMetricsPort(mounted, request);
};

const withMetricsPort = onSparkContainer((container, request) => {
  const { port } = request.metrics ?? {};
  if (!port) {
    return { container };
  }
  const wanted = { name: port.name, containerPort: port.number, protocol: PortProtocol.TCP };
  const existing = [...container.ports ?? [], ...sparksPorts(request)].find(other => isSamePort(other, wanted) && other.name !== port.name);
  if (existing) {
    // The agent would fail to start, and so would the JVM.
    throw new SubmissionError({
      field: `${FIELD}.port`, value: String(port.number),
      reason: `is the port ${existing.name ?? 'without a name'} of the same container`, remedy: 'choose another number',
    });
  }
  return { container: withPort(container, request, wanted, `${FIELD}.portName`) };
});

function sparksPorts(request: PodCustomization) {
  return [...portsBySpark(request)].map(([name, containerPort]) => ({ name, containerPort }));
}
