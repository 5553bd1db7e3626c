import type { DriverConf } from './driver-conf';

/** A port of the driver, both of its container and of its Service. */
export interface DriverPort {
  readonly name: string;
  readonly port: number;
  /** What is spoken there, if the Service says so. */
  readonly appProtocol?: string;
}

/** The port on which executors call the driver. */
export const DRIVER_RPC_PORT = 'driver-rpc-port';
/** The port from which executors fetch blocks. */
export const BLOCK_MANAGER_PORT = 'blockmanager';

/** The driver's ports, in Spark's order (BasicDriverFeatureStep, DriverServiceFeatureStep). */
export function driverPorts({ conf, version }: DriverConf): DriverPort[] {
  const ports: DriverPort[] = [
    { name: DRIVER_RPC_PORT, port: conf.port(['spark.driver.port'], 7078) },
    { name: BLOCK_MANAGER_PORT, port: conf.port(['spark.driver.blockManager.port', 'spark.blockManager.port'], 7079) },
    { name: 'spark-ui', port: conf.port(['spark.ui.port'], 4040) },
  ];
  if (version.features.connectPort) {
    ports.push({
      name: 'spark-connect',
      port: conf.port(['spark.connect.grpc.binding.port'], 15_002),
      ...(version.features.connectAppProtocol ? { appProtocol: 'grpc' } : {}),
    });
  }
  return ports;
}
