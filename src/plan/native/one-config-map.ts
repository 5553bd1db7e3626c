import type { ConfigMap } from '../../model/kubernetes-objects';
import type { BuiltSubmission } from './build';
import { MAX_BYTES } from './kubernetes-conf-map';
import { TEMPLATE_KEY } from './pod-template-config-map';

/**
 * Moves the executors' pod template into the ConfigMap with the driver's properties, so that a
 * submission creates one ConfigMap in place of Spark's two. The driver's volumes and paths stay the
 * same. Two ConfigMaps stay if one would be too large.
 *
 * @param name name of the ConfigMap with the properties
 */
export function withOneConfigMap(built: BuiltSubmission, name: string): BuiltSubmission {
  const configMaps = built.resources.filter((resource): resource is ConfigMap => resource.kind === 'ConfigMap');
  const template = configMaps.find(({ data }) => TEMPLATE_KEY in data);
  const properties = configMaps.find(({ metadata }) => metadata.name === name)!;
  if (!template || bytesOf(template) + bytesOf(properties) > MAX_BYTES) return built;
  const { driver } = built;
  const volumes = driver.spec.volumes!.map((volume) => (
    volume.configMap?.name === template.metadata.name ? { ...volume, configMap: { ...volume.configMap, name } } : volume
  ));
  return {
    driver: { ...driver, spec: { ...driver.spec, volumes } },
    resources: built.resources.filter((resource) => resource !== template).map((resource) => (
      resource === properties ? { ...properties, data: { ...properties.data, ...template.data } } : resource
    )),
  };
}

/** Returns the size of a ConfigMap as the API server limits it, in bytes. */
function bytesOf({ data }: ConfigMap): number {
  return Object.entries(data).flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
