import { SPARK_CONFIG } from './config-directories';
import { configDirectory } from './config-directory';

/**
 * `sparkConfigMap`: the folder /etc/spark/conf, to which `SPARK_CONF_DIR` points in place of Spark's own /opt/spark/conf. The driver's
 * properties stay in the latter; the driver is given their path.
 */
export const sparkConfigMap = configDirectory(SPARK_CONFIG);
