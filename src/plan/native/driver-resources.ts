import type { StringMap } from '../../model/kubernetes-objects';
import { javaInt } from '../properties/java-values';
import type { DriverConf } from './driver-conf';

const PREFIX = 'spark.driver.resource.';

/**
 * Returns devices of the driver such as GPUs, by the names that device plug-ins register in
 * Kubernetes (ResourceUtils.parseAllResourceRequests, KubernetesUtils.buildResourcesQuantities).
 * Omits amounts below one.
 *
 * @throws SubmissionError if a device has no amount or no vendor
 */
export function driverResources({ conf, properties }: DriverConf): StringMap {
  const names = new Set(properties.withPrefix(PREFIX).map(([key]) => {
    if (!key.includes('.')) {
      throw conf.wrong(PREFIX + key, 'does not name an attribute of the device', `write ${PREFIX}<name>.amount and ${PREFIX}<name>.vendor`);
    }
    return key.slice(0, key.indexOf('.'));
  }));
  return Object.fromEntries([...names].flatMap(name => {
    const [amountKey, vendorKey] = [`${PREFIX}${name}.amount`, `${PREFIX}${name}.vendor`] as const;
    const amount = javaInt(properties.get(amountKey) ?? '');
    if (amount === undefined) {
      throw conf.wrong(amountKey, properties.has(amountKey)
        ? 'is not a whole number'
        : 'is missing', 'write the number of devices for the driver, such as 1');
    }
    if (amount < 1) {
      return [];
    }
    const vendor = properties.get(vendorKey);
    if (vendor === undefined) {
      throw conf.wrong(vendorKey, 'is missing', "write the domain in the device's resource name, such as nvidia.com");
    }
    return [[`${vendor}/${name}`, String(amount)]];
  }));
}
