import { HADOOP_CONFIG } from './config-directories';
import { configDirectory } from './config-directory';

/** `hadoopConfigMap`: mounts the folder /etc/hadoop/conf, to which `HADOOP_CONF_DIR` points. */
export const hadoopConfigMap = configDirectory(HADOOP_CONFIG);
