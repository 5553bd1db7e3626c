import { configMapVolumeName, withConfigMaps } from './config-map-volume';
import { type Concern, fieldOf } from './pod-template';

/** `configMaps`: read-only folders of Spark's container. */
export const configMaps: Concern = (spec, request) => ({
  spec: withConfigMaps(spec, request, (request.spec.configMaps ?? []).map(({ name, path }, index) => ({
    configMap: name, volume: configMapVolumeName(name), path, field: fieldOf(request, `configMaps[${index}]`),
  }))),
});
