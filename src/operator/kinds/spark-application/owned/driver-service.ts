import { LABEL_APP_NAME, LABEL_SPARK_ROLE } from '../../../../api/labels';
import { objectName } from '../../../../api/object-name';
import type { Service, StringMap } from '../../../../model/kubernetes-objects';
import type { SparkApplication } from '../../../../model/spark-application';
import { metadataOf } from './metadata';

/** Port of the driver that gets a Service. */
export interface DriverPort {
  /** Suffix of the Service's name. */
  readonly suffix: string;
  readonly port: number;
  /** The port of the driver itself. */
  readonly targetPort: number;
  readonly portName: string;
  readonly type?: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/**
 * Returns the labels that select an application's driver. An application has one driver at a time.
 */
export function driverSelector({ metadata }: SparkApplication): StringMap {
  return { [LABEL_APP_NAME]: metadata.name, [LABEL_SPARK_ROLE]: 'driver' };
}

/** Returns a Service for a port of the driver. */
export function driverService(
  application: SparkApplication, { suffix, port, targetPort, portName, type, labels, annotations }: DriverPort,
): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(application, objectName('Service', application.metadata.name, suffix), { labels, annotations }),
    spec: { type: type || 'ClusterIP', selector: driverSelector(application), ports: [{ name: portName, port, targetPort }] },
  };
}
