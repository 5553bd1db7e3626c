import { existsSync } from 'node:fs';
import type { ClusterPaths } from '../paths.ts';
import { captureKubectl } from './enter.ts';
import { readRecord } from './record.ts';
import { allComponents, isSandboxAlive, missingComponents } from './up.ts';

export interface ClusterStatus {
  readonly name: string;
  /** Whether there is anything of the cluster. */
  readonly exists: boolean;
  /** Whether all of its programs run. */
  readonly running: boolean;
  /** The programs that should run and do not. */
  readonly missing: readonly string[];
  readonly controlPlaneOnly: boolean;
  /** The name of its network namespace, and the file that nsenter takes. */
  readonly netns: string;
  readonly netnsFile: string;
  readonly kubeconfig: string;
  /** The folder with its kubectl. */
  readonly bin: string;
  readonly logs: string;
  /** One JSON object a line, if audit is on. */
  readonly auditLog?: string;
  readonly nodes: readonly { readonly name: string; readonly ready: boolean; readonly version: string }[];
}

export async function readStatus(paths: ClusterPaths): Promise<ClusterStatus> {
  const record = readRecord(paths);
  const isAlive = record !== undefined && isSandboxAlive(paths, record);
  const expected = record ? allComponents(paths, record) : [];
  const missing = (isAlive ? missingComponents(expected, record.init) : expected).map(({ name }) => name);
  const running = isAlive && missing.length === 0;
  return {
    name: paths.name,
    exists: existsSync(paths.state),
    running,
    missing,
    controlPlaneOnly: record?.controlPlaneOnly ?? false,
    netns: paths.netns,
    netnsFile: paths.netnsFile,
    kubeconfig: paths.kubeconfig,
    bin: paths.bin,
    logs: paths.logs,
    auditLog: record?.audit ? paths.auditLog : undefined,
    nodes: running && !record.controlPlaneOnly ? await nodes(paths) : [],
  };
}

interface NodeObject {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly nodeInfo: { readonly kubeletVersion: string };
  };
}

async function nodes(paths: ClusterPaths): Promise<ClusterStatus['nodes']> {
  const result = await captureKubectl(paths.name, ['get', 'nodes', '--output', 'json']);
  if (result.code !== 0) return [];
  return (JSON.parse(result.stdout).items as NodeObject[]).map(({ metadata, status }) => ({
    name: metadata.name,
    ready: status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True',
    version: status.nodeInfo.kubeletVersion,
  }));
}
