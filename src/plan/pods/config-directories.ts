import type { PodCustomization } from './pod-template';

/** A folder with configuration, and the variable that points to it. */
export interface ConfigDirectory {
  /** The field of the application that names the ConfigMap. */
  readonly field: 'sparkConfigMap' | 'hadoopConfigMap';
  readonly volume: string;
  readonly path: string;
  readonly variable: string;
}

/** For `sparkConfigMap`. */
export const SPARK_CONFIG: ConfigDirectory = {
  field: 'sparkConfigMap', volume: 'spark-configmap-volume', path: '/etc/spark/conf', variable: 'SPARK_CONF_DIR',
};

/** For `hadoopConfigMap`. */
export const HADOOP_CONFIG: ConfigDirectory = {
  field: 'hadoopConfigMap', volume: 'hadoop-configmap-volume', path: '/etc/hadoop/conf', variable: 'HADOOP_CONF_DIR',
};

/** The field of the application that decides a variable. */
export function fieldDeciding(variable: string, { application }: Pick<PodCustomization, 'application'>): string | undefined {
  const directory = [SPARK_CONFIG, HADOOP_CONFIG].find(({ variable: name, field }) => name === variable && application[field]);
  return directory && `spec.${directory.field}`;
}
