import type { ConfigDirectory } from './config-directories';
import { withConfigMaps } from './config-map-volume';
import { onSparkContainer } from './container';
import { setVariables } from './env';
import type { Concern } from './pod-template';

/**
 * Returns the concern that mounts a ConfigMap as a folder with configuration, and sets the
 * environment variable that points to it.
 */
export function configDirectory({ field, volume, path, variable }: ConfigDirectory): Concern {
  const by = `spec.${field}`;
  const setVariable = onSparkContainer((container, request) => {
    const { container: result, warnings = [] } = setVariables(container, request, [{ name: variable, value: path }], () => by);
    // To replace Spark's own variable is what the field is for.
    return { container: result, warnings: warnings.filter(warning => warning.path !== by) };
  });
  return (spec, request) => {
    const configMap = request.application[field];
    return configMap ? setVariable(withConfigMaps(spec, request, [{ configMap, volume, path, field: by }]), request) : { spec };
  };
}
