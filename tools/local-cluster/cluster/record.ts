import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ClusterPaths } from '../paths.ts';
import type { ProcessIdentity } from '../sandbox/identity.ts';

/** Options with which a cluster was started, for later commands. */
export interface ClusterRecord {
  readonly controlPlaneOnly: boolean;
  readonly audit: boolean;
  /** Whether its limits are those for tens of thousands of pods. @default false */
  readonly scale?: boolean;
  /** The key of each built program. Others mean that the cluster runs something else than the sources. */
  readonly programs: Readonly<Record<string, string>>;
  /** The first process of the cluster's namespaces. */
  readonly init: ProcessIdentity;
}

export function readRecord(paths: ClusterPaths): ClusterRecord | undefined {
  try {
    return JSON.parse(readFileSync(paths.record, 'utf8')) as ClusterRecord;
  } catch {
    return undefined; // never started, or only halfway
  }
}

export function writeRecord(paths: ClusterPaths, record: ClusterRecord): void {
  writeFileSync(`${paths.record}.new`, JSON.stringify(record, undefined, 2));
  renameSync(`${paths.record}.new`, paths.record);
}
