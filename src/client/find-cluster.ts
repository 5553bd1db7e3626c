import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Connection } from '../kube/connection';
import { toError } from '../kube/errors';
import { connect } from '../kube/kube-config';
import { ConfigurationError } from './errors';
import { kubeconfigFiles } from '../kube/kubeconfig-file';
import type { ClusterChoice } from './types';

/**
 * Finds the cluster as kubectl does. Sends nothing.
 *
 * @throws {ConfigurationError} when the configuration is missing or invalid
 */
export function findCluster({ kubeconfig, context }: ClusterChoice, environment: NodeJS.ProcessEnv = process.env): Connection {
  const files = kubeconfig === undefined ? kubeconfigFiles(environment, existsSync, homedir()) : [kubeconfig];
  try {
    return connect({ kubeconfig: files, context });
  } catch (error) {
    const advice = files.length === 0 ? ': pass kubeconfig to SparkClient.connect, or set KUBECONFIG' : '';
    throw new ConfigurationError(`${toError(error).message}${advice}`);
  }
}
