import { environmentPrefix } from '../properties/role';
import type { PodCustomization } from './pod-template';

/** A folder with configuration, and the environment variable that points to it. */
export interface ConfigDirectory {
  /** Field of the application with the name of the ConfigMap. */
  readonly field: 'sparkConfigMap' | 'hadoopConfigMap';
  readonly volume: string;
  readonly path: string;
  readonly variable: string;
}

/** Folder of `sparkConfigMap`. */
export const SPARK_CONFIG: ConfigDirectory = {
  field: 'sparkConfigMap', volume: 'spark-configmap-volume', path: '/etc/spark/conf', variable: 'SPARK_CONF_DIR',
};

/** Folder of `hadoopConfigMap`. */
export const HADOOP_CONFIG: ConfigDirectory = {
  field: 'hadoopConfigMap', volume: 'hadoop-configmap-volume', path: '/etc/hadoop/conf', variable: 'HADOOP_CONF_DIR',
};

/** Returns the value of the variable: the path, or a class path that ends with it (`fastStart`). */
export function directoryValue({ variable, path }: ConfigDirectory, { role, properties }: PodCustomization): string {
  const value = properties.get(environmentPrefix(role) + variable);
  return value?.endsWith(`:${path}`) ? value : path;
}

/** Returns the field of the application that sets a variable, if one does. */
export function fieldSettingVariable(variable: string, { application }: Pick<PodCustomization, 'application'>): string | undefined {
  const directory = [SPARK_CONFIG, HADOOP_CONFIG].find(({ variable: name, field }) => name === variable && application[field]);
  return directory && `spec.${directory.field}`;
}
