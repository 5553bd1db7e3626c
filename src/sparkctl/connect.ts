import { homedir } from 'node:os';
import type { Cluster, ClusterValues } from './cluster';
import { CommandError } from './errors';
import { KubeClient } from '../kube/client';
import type { Connection } from '../kube/connection';
import { toError } from '../kube/errors';
import { connect } from '../kube/kube-config';
import { kubeconfigFiles } from '../kube/kubeconfig-file';

/** Environment of the command line. */
export interface Environment {
  readonly environment: NodeJS.ProcessEnv;
  /** Returns whether a file exists. */
  readonly exists: (path: string) => boolean;
  /** `User-Agent` of requests to the API server. */
  readonly userAgent: string;
}

/**
 * Finds the cluster as kubectl does. Only commands that need a cluster import this: reading
 * kubeconfigs is a large part of the program.
 *
 * @throws {CommandError} when the configuration is missing or wrong
 */
export function connectTo(
  { namespace, context, kubeconfig: given }: ClusterValues, { environment, exists, userAgent }: Environment,
): Cluster {
  const kubeconfig = given === undefined ? kubeconfigFiles(environment, exists, homedir()) : [given];
  const connection = read(() => connect({ kubeconfig, context }), kubeconfig);
  return {
    client: new KubeClient(connection, { userAgent }), connection, namespace: namespace ?? connection.namespace ?? 'default',
    kubeconfig, context,
  };
}

function read(connecting: () => Connection, kubeconfig: readonly string[]): Connection {
  try {
    return connecting();
  } catch (error) {
    const cause = kubeconfig.length === 0 ? 'there is no ~/.kube/config; name a kubeconfig with --kubeconfig or in $KUBECONFIG: ' : '';
    throw new CommandError(`${cause}${toError(error).message}`);
  }
}
