import type { DriverConf } from './driver-conf';

/** A port of the driver. */
export interface DriverPort {
  readonly name: string;
  /** Port of the container. */
  readonly containerPort: number;
  /** Port of the Service: the same, except for the block manager's. */
  readonly servicePort: number;
  /** Application protocol, if the Service has one. */
  readonly appProtocol?: string;
}

/** Name of the port through which executors call the driver. */
export const DRIVER_RPC_PORT = 'driver-rpc-port';
/** Name of the port from which executors fetch blocks. */
export const BLOCK_MANAGER_PORT = 'blockmanager';

const OWN_BLOCK_MANAGER_PORT = 'spark.driver.blockManager.port';
const DEFAULT_BLOCK_MANAGER_PORT = 7079;

/**
 * Returns the driver's ports in Spark's order (BasicDriverFeatureStep, DriverServiceFeatureStep).
 * `spark.blockManager.port` only affects the container: the driver is configured with the Service's
 * port.
 */
export function driverPorts({ conf, version }: DriverConf): DriverPort[] {
  const ports: DriverPort[] = [
    samePort(DRIVER_RPC_PORT, conf.rawPort('spark.driver.port', 7078)),
    {
      name: BLOCK_MANAGER_PORT,
      containerPort: conf.rawPort(OWN_BLOCK_MANAGER_PORT, conf.rawPort('spark.blockManager.port', DEFAULT_BLOCK_MANAGER_PORT)),
      servicePort: conf.rawPort(OWN_BLOCK_MANAGER_PORT, DEFAULT_BLOCK_MANAGER_PORT),
    },
    samePort('spark-ui', conf.port('spark.ui.port', 4040)),
  ];
  if (version.features.connectPort) {
    ports.push({
      ...samePort('spark-connect', conf.rawPort('spark.connect.grpc.binding.port', 15_002)),
      ...(version.features.connectAppProtocol ? { appProtocol: 'grpc' } : {}),
    });
  }
  return ports;
}

function samePort(name: string, port: number): DriverPort {
  return { name, containerPort: port, servicePort: port };
}
