import { type Finding, findingsOf } from './finding';
import type { Reading } from './reading';
import { networkAdvice } from '../problem';
import { oldestKubernetes } from '../../kube/supported-versions.json';

/** Response of an API server's `/version`; only the fields that are read. */
export interface VersionInfo {
  readonly gitVersion: string;
}

const findings = findingsOf('Cluster');

/** Checks whether the API server answers and is new enough. @param server its URL */
export function clusterFinding(reading: Reading<VersionInfo>, server: string): Finding {
  switch (reading.kind) {
    case 'found': return versionFinding(reading.value, server);
    case 'missing': return findings.error(`${server} answers, but not as an API server of Kubernetes does`, 'kubectl config view --minify');
    case 'forbidden': return findings.notAllowed(`${server} answers, but this user cannot read its version`, 'kubectl version');
    default: return reading.code === '401'
      ? findings.error(`${server} does not know the user: the credentials are not, or no longer, valid`, 'kubectl config view --minify')
      : findings.error(`${server} does not answer: ${reading.message}`, unansweredRemedy(reading.code));
  }
}

/** @param code that of a NetworkError, or an HTTP status */
function unansweredRemedy(code: string): string {
  return /^\d/.test(code) ? 'kubectl cluster-info' : networkAdvice(code);
}

function versionFinding({ gitVersion }: VersionInfo, server: string): Finding {
  const [version, oldest] = [minorOf(gitVersion), minorOf(oldestKubernetes)!];
  const found = `Kubernetes ${gitVersion} at ${server}`;
  if (version === undefined) return findings.warning(`${found}: it is unknown whether this is new enough`, 'kubectl version');
  return version >= oldest
    ? findings.ok(found)
    : findings.error(
      `${found} is older than ${oldestKubernetes.replace(/\.\d+$/, '')}, the oldest version that the operator supports`,
      'upgrade the cluster',
    );
}

/**
 * Returns a number that orders versions of Kubernetes by major and minor; undefined if it cannot be
 * parsed.
 */
function minorOf(gitVersion: string): number | undefined {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(gitVersion) ?? [];
  return major === undefined ? undefined : Number(major) * 1000 + Number(minor);
}
