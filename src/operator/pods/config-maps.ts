import { configMapVolumeName, withConfigMap } from './config-map-volume';
import { type Concern, fieldOf } from './pod-template';

/** `configMaps`: read-only folders of Spark's container. */
export const configMaps: Concern = (spec, request) => ({
  spec: (request.spec.configMaps ?? []).reduce((result, { name, path }, index) => withConfigMap(result, request, {
    configMap: name, volume: configMapVolumeName(name), path, field: fieldOf(request, `configMaps[${index}]`),
  }), spec),
});
