import { directoryValue, type ConfigDirectory } from './config-directories';
import { withConfigMaps } from './config-map-volume';
import { onSparkContainer } from './container';
import { setVariables } from './env';
import type { Concern } from './pod-template';

/**
 * Returns the concern that mounts a ConfigMap as a folder with configuration, and sets the
 * environment variable that points to it.
 */
export function configDirectory(directory: ConfigDirectory): Concern {
  const { field, volume, path, variable } = directory;
  const by = `spec.${field}`;
  const setVariable = onSparkContainer((container, request) => {
    const wanted = { name: variable, value: directoryValue(directory, request) };
    const { container: result, warnings = [] } = setVariables(container, request, [wanted], () => by);
    // To replace Spark's own variable is what the field is for.
    return { container: result, warnings: warnings.filter(warning => warning.path !== by) };
  });
  return (spec, request) => {
    const configMap = request.application[field];
    return configMap ? setVariable(withConfigMaps(spec, request, [{ configMap, volume, path, field: by }]), request) : { spec };
  };
}
