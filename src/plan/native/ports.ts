import type { DriverConf } from './driver-conf';

/** A port of the driver. */
export interface DriverPort {
  readonly name: string;
  /** The port as its container has it. */
  readonly containerPort: number;
  /** The port as its Service has it: the same, but for one. */
  readonly servicePort: number;
  /** What is spoken there, if the Service says so. */
  readonly appProtocol?: string;
}

/** The port on which executors call the driver. */
export const DRIVER_RPC_PORT = 'driver-rpc-port';
/** The port from which executors fetch blocks. */
export const BLOCK_MANAGER_PORT = 'blockmanager';

const OWN_BLOCK_MANAGER_PORT = 'spark.driver.blockManager.port';
const DEFAULT_BLOCK_MANAGER_PORT = 7079;

/**
 * The driver's ports, in Spark's order (BasicDriverFeatureStep, DriverServiceFeatureStep). `spark.blockManager.port` counts for
 * the container alone: the driver is told to use the Service's port.
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
