import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import type { ForwardTarget } from '../cli.ts';
import { ToolError } from '../errors.ts';
import { captureKubectl, spawnIn } from './enter.ts';

/** A port of this machine behind which there is a port in the cluster. */
export interface Forward {
  readonly localPort: number;
  close(): void;
}

/** Message to the process in the cluster's network with each connection that it gets. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/**
 * Connections are accepted here, where a browser can come, and handed as open sockets to a process in the cluster's
 * network, which connects them to the pod. A single process cannot be in two networks.
 */
export async function openForward(name: string, localPort: number, target: ForwardTarget, tool: string): Promise<Forward> {
  let destination: Destination | undefined = await resolveTarget(name, target);
  const connector = spawnIn(name, [process.execPath, join(tool, 'cluster', 'connector.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // An executor might have come and gone: after a failure, the next connection asks for the address again.
  connector.on('message', () => { destination = undefined; });

  const server = createServer({ pauseOnConnect: true }, (socket) => {
    handOver(socket).catch((error) => {
      console.error((error as Error).message);
      socket.destroy();
    });
  });
  const handOver = async (socket: Socket) => {
    destination ??= await resolveTarget(name, target);
    connector.send(destination, socket);
  };
  await listen(server, localPort);
  return { localPort: (server.address() as AddressInfo).port, close: () => close(server, connector) };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ToolError(`cannot listen on port ${port}: ${error.message}`, 'Use another one, or 0 for any that is free.')));
    server.listen(port, '127.0.0.1', resolve);
  });
}

function close(server: Server, connector: ChildProcess): void {
  server.close();
  connector.kill();
}

async function resolveTarget(name: string, { namespace, resource, port }: ForwardTarget): Promise<Destination> {
  const get = async (...args: string[]) => {
    const result = await captureKubectl(name, ['get', '--namespace', namespace, '--output', 'json', '--ignore-not-found', ...args]);
    if (result.code !== 0) throw new ToolError(`could not look up ${namespace}/${resource}: ${result.stderr.trim()}`);
    return result.stdout === '' ? undefined : JSON.parse(result.stdout);
  };

  const pod = await get('pod', resource);
  const host = pod ? pod.status.podIP : await serviceAddress(await get('service', resource), () => get('endpointslices', `--selector=kubernetes.io/service-name=${resource}`));
  if (host === undefined) {
    throw new ToolError(`there is no running pod, and no service with one, that is called ${namespace}/${resource}`,
      `See \`kubectl get pods,services --namespace ${namespace}\`.`);
  }
  return { host, port };
}

interface EndpointSlices {
  readonly items: readonly { readonly endpoints?: readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[] }[];
}

/** Its own, or for a headless service that of a pod behind it. */
async function serviceAddress(service: any, slices: () => Promise<EndpointSlices>): Promise<string | undefined> {
  if (!service) return undefined;
  if (service.spec.clusterIP !== 'None') return service.spec.clusterIP;
  const endpoints = (await slices()).items.flatMap((slice) => slice.endpoints ?? []);
  return endpoints.find(({ conditions }) => conditions?.ready !== false)?.addresses[0];
}
