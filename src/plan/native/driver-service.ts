import { LABEL_SPARK_APP_SELECTOR } from '../../api/labels';
import type { Service } from '../../model/kubernetes-objects';
import { DRIVER_SERVICE_SUFFIX } from '../names';
import type { DriverConf } from './driver-conf';
import type { FeatureStep } from './feature-step';
import { driverLabels } from './labels';
import { BLOCK_MANAGER_PORT, DRIVER_RPC_PORT, driverPorts } from './ports';

/**
 * Creates the headless Service whose name is the driver's host name for executors
 * (DriverServiceFeatureStep).
 */
export const driverService: FeatureStep = (conf) => {
  const service = buildService(conf);
  const portOf = (name: string) => String(service.spec.ports.find(port => port.name === name)!.port);
  return {
    resources: [service],
    properties: {
      'spark.driver.host': `${service.metadata.name}.${conf.namespace}.svc`,
      'spark.driver.port': portOf(DRIVER_RPC_PORT),
      'spark.driver.blockManager.port': portOf(BLOCK_MANAGER_PORT),
    },
  };
};

/**
 * Returns the Service. As in Spark, its selector has all labels of the driver, including the
 * user's.
 */
function buildService(driver: DriverConf): Service {
  const { conf, properties, identity, version } = driver;
  const annotations = properties.withPrefix('spark.kubernetes.driver.service.annotation.');
  const publishNotReady = version.features.publishNotReadyAddresses
    ? { publishNotReadyAddresses: conf.boolean(['spark.kubernetes.driver.service.publishNotReadyAddresses'], false) }
    : {};
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: `${identity.resourcePrefix}${DRIVER_SERVICE_SUFFIX}`,
      labels: {
        [LABEL_SPARK_APP_SELECTOR]: identity.applicationId,
        ...Object.fromEntries(properties.withPrefix('spark.kubernetes.driver.service.label.')),
      },
      ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    },
    spec: {
      clusterIP: 'None',
      ipFamilyPolicy: conf.oneOf(
        'spark.kubernetes.driver.service.ipFamilyPolicy', ['SingleStack', 'PreferDualStack', 'RequireDualStack'], 'SingleStack',
      ),
      ipFamilies: conf.oneOf('spark.kubernetes.driver.service.ipFamilies', ['IPv4', 'IPv6', 'IPv4,IPv6', 'IPv6,IPv4'], 'IPv4').split(','),
      ...publishNotReady,
      selector: driverLabels(driver),
      ports: driverPorts(driver).map(({ name, servicePort: port, appProtocol }) => ({
        name, port, targetPort: port, ...(appProtocol === undefined ? {} : { appProtocol }),
      })),
    },
  };
}
