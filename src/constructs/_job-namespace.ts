import { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { applyAfter } from './_app';
import { ISparkJobNamespace } from '../props/job-namespace';
import type { Problem } from '../model/problem';

/**
 * Props of a workload that decide where it runs and how it is checked.
 * @internal
 */
export interface WorkloadLinks {
  readonly metadata?: ApiObjectMetadata;
  readonly jobNamespace?: ISparkJobNamespace;
  readonly strict?: boolean;
}

/**
 * Returns the metadata of a workload, in its job namespace. The namespace is applied first.
 * @internal
 */
export function withNamespace(workload: Construct, { metadata, jobNamespace }: WorkloadLinks): ApiObjectMetadata | undefined {
  if (Construct.isConstruct(jobNamespace)) applyAfter(workload, jobNamespace);
  return jobNamespace ? { ...metadata, namespace: metadata?.namespace ?? jobNamespace.name } : metadata;
}

/**
 * Returns the problem of a workload in another namespace than its job namespace.
 * @internal
 */
export function wrongNamespace({ metadata, jobNamespace }: WorkloadLinks): Problem[] {
  return !jobNamespace || metadata?.namespace === undefined || metadata.namespace === jobNamespace.name ? [] : [{
    path: 'metadata.namespace', value: metadata.namespace, reason: `is not that of jobNamespace, ${jobNamespace.name}`, remedy: 'leave one of them out',
  }];
}
