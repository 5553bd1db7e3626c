/**
 * Ports of Spark's container, and the properties that set their numbers (BasicDriverFeatureStep,
 * BasicExecutorFeatureStep).
 */
const PORTS = {
  driver: [
    { name: 'driver-rpc-port', keys: ['spark.driver.port'], byDefault: '7078' },
    { name: 'blockmanager', keys: ['spark.driver.blockManager.port', 'spark.blockManager.port'], byDefault: '7079' },
    { name: 'spark-ui', keys: ['spark.ui.port'], byDefault: '4040' },
  ],
  executor: [{ name: 'blockmanager', keys: ['spark.blockManager.port'], byDefault: '7079' }],
} as const;

/**
 * Returns the ports that Spark opens itself, by name, as far as their numbers are known.
 * @internal
 */
export function sparkPorts(role: 'driver' | 'executor', sparkConf: { readonly [key: string]: string } = {}): Map<string, number> {
  return new Map(PORTS[role].flatMap(({ name, keys, byDefault }): [string, number][] => {
    const written = keys.map((key) => sparkConf[key]).find((value) => value !== undefined) ?? byDefault;
    return /^[0-9]{1,5}$/.test(written) ? [[name, Number(written)]] : [];
  }));
}
