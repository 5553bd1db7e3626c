import type { StringMap } from '../../model/kubernetes-objects';
import { javaInt } from '../properties/java-values';
import type { DriverConf } from './driver-conf';

const PREFIX = 'spark.driver.resource.';

/**
 * Devices of the driver, such as GPUs, by the names that their plug-ins give them in Kubernetes
 * (ResourceUtils.parseAllResourceRequests, KubernetesUtils.buildResourcesQuantities). An amount below one is none.
 *
 * @throws SubmissionError if one has no amount, or no vendor
 */
export function driverResources({ conf, properties }: DriverConf): StringMap {
  const names = new Set(properties.withPrefix(PREFIX).map(([key]) => {
    if (!key.includes('.')) {
      throw conf.wrong(PREFIX + key, 'does not say what about the device', `write ${PREFIX}<name>.amount and ${PREFIX}<name>.vendor`);
    }
    return key.slice(0, key.indexOf('.'));
  }));
  return Object.fromEntries([...names].flatMap(name => {
    const [amountKey, vendorKey] = [`${PREFIX}${name}.amount`, `${PREFIX}${name}.vendor`] as const;
    const amount = javaInt(properties.get(amountKey) ?? '');
    if (amount === undefined) {
      throw conf.wrong(amountKey, properties.has(amountKey) ? 'is not a whole number' : 'is missing', 'write how many of the device the driver needs, such as 1');
    }
    if (amount < 1) {
      return [];
    }
    const vendor = properties.get(vendorKey);
    if (vendor === undefined) {
      throw conf.wrong(vendorKey, 'is missing', 'write the domain in the name that Kubernetes has for the device, such as nvidia.com');
    }
    return [[`${vendor}/${name}`, String(amount)]];
  }));
}
