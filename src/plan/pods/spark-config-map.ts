import { SPARK_CONFIG } from './config-directories';
import { configDirectory } from './config-directory';

/**
 * `sparkConfigMap`: mounts the folder /etc/spark/conf. `SPARK_CONF_DIR` points to it, instead of
 * Spark's /opt/spark/conf. The driver's properties remain in the latter, and the driver's arguments
 * contain their path.
 */
export const sparkConfigMap = configDirectory(SPARK_CONFIG);
