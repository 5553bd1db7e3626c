import { type Finding, findingsOf } from './finding';
import type { Reading } from './look';
import { oldestKubernetes } from '../../kube/supported-versions.json';

/** What `/version` of an API server answers; only what is read. */
export interface VersionInfo {
  readonly gitVersion: string;
}

const findings = findingsOf('Cluster');

/** Whether the API server answers, and is new enough. @param server its URL */
export function clusterFinding(looked: Reading<VersionInfo>, server: string): Finding {
  switch (looked.kind) {
    case 'found': return versionFinding(looked.value, server);
    case 'missing': return findings.error(`${server} answers, but not as an API server of Kubernetes does`, 'kubectl config view --minify');
    case 'forbidden': return findings.notAllowed(`${server} answers, but does not tell its version to this user`, 'kubectl version');
    default: return looked.code === '401'
      ? findings.error(`${server} does not know the user: the credentials are not, or no longer, valid`, 'kubectl config view --minify')
      : findings.error(`${server} does not answer: ${looked.message}`, 'kubectl cluster-info');
  }
}

function versionFinding({ gitVersion }: VersionInfo, server: string): Finding {
  const [version, oldest] = [minorOf(gitVersion), minorOf(oldestKubernetes)!];
  const found = `Kubernetes ${gitVersion} at ${server}`;
  if (version === undefined) return findings.warning(`${found}: it cannot be told whether this is new enough`, 'kubectl version');
  return version >= oldest ? findings.ok(found) : findings.error(`${found} is older than ${oldestKubernetes.replace(/\.\d+$/, '')}, the oldest that the operator works with`, 'upgrade the cluster');
}

/** The minor version of a Kubernetes 1; undefined if it is none. */
function minorOf(gitVersion: string): number | undefined {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(gitVersion) ?? [];
  return major === undefined ? undefined : Number(major) * 1000 + Number(minor);
}
