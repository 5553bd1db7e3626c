import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { propertyPaths } from './property-paths';
import type { KindDefinition } from '../../api/kind';
import { isEstablished } from '../setup/available';
import type { CustomResourceDefinition } from '../setup/objects';

const findings = findingsOf('CRDs');

/** Paths of status fields that the CRDs of kubeflow's operator lack. */
const NEW_STATUS_FIELDS = ['status.specHash', 'status.conditions', 'status.observedGeneration'];

/** Maximum number of fields that are named; the rest is counted. */
const MAX_FIELDS = 3;

/** Origin of a CRD in the cluster, by its difference from that of this version. */
export type Origin =
  | { readonly of: 'this' }
  | { readonly of: 'kubeflow' }
  /** `missing` has the paths of this version's fields that it lacks. */
  | { readonly of: 'older'; readonly missing: readonly string[] }
  | { readonly of: 'newer' };

/**
 * Checks whether the CRD of a kind exists, is served, and is that of this version.
 *
 * @param own CRD of this version
 * @param remedy command that installs it
 */
export function crdFinding(
  { kind, plural, group, version }: KindDefinition,
  reading: Reading<CustomResourceDefinition>,
  own: CustomResourceDefinition,
  remedy: string,
): Finding {
  const name = `${plural}.${group}`;
  if (isUnreadable(reading)) return unreadable(findings, `the CRD ${name}`, reading);
  if (reading.kind === 'missing') return findings.error(`there is no CRD ${name}: the API server does not serve ${kind}s`, remedy);
  const crd = reading.value;
  if (crd.metadata.deletionTimestamp !== undefined) {
    return findings.error(
      `the CRD ${name} is being deleted, and all ${kind}s with it`, `kubectl get crd ${name} -o jsonpath='{.status.conditions}'`,
    );
  }
  if (!isEstablished(crd)) {
    return findings.error(
      `the API server does not serve the CRD ${name} yet${conditionsText(crd)}`,
      `kubectl get crd ${name} -o jsonpath='{.status.conditions}'`,
    );
  }
  const served = crd.spec.versions.filter((each) => each.served).map((each) => each.name);
  if (!served.includes(version)) {
    return findings.error(`the CRD ${name} serves ${served.join(', ') || 'no version'}, and not ${version}`, remedy);
  }
  return originFinding(name, originOf(crd, own, version), kind, remedy);
}

function originFinding(name: string, origin: Origin, kind: string, remedy: string): Finding {
  switch (origin.of) {
    case 'this': return findings.ok(`${name} exists, and is that of this version`);
    case 'newer': return findings.warning(`${name} is from a later version than this sparkctl`, 'npm install cdk8s-spark-operator@latest');
    case 'kubeflow': return findings.warning(
      `${name} is that of kubeflow's operator: everything works, `
        + `but the status of a ${kind} has no conditions, and the operator does not notice edits that happen while it is down`,
      `${remedy} --force-conflicts`,
    );
    default: return findings.warning(`${name} is from an earlier version: it drops ${someOf(origin.missing)}`, remedy);
  }
}

/** Detects the origin of a CRD by its fields. */
export function originOf(crd: CustomResourceDefinition, own: CustomResourceDefinition, version: string): Origin {
  const [there, ours] = [crd, own].map((each) => propertyPaths(
    each.spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema,
  )) as [Set<string>, Set<string>];
  const missing = [...ours].filter((path) => !there.has(path));
  if (missing.length === 0) return [...there].some((path) => !ours.has(path)) ? { of: 'newer' } : { of: 'this' };
  const lost = NEW_STATUS_FIELDS.filter((path) => ours.has(path));
  return lost.length > 0 && lost.every((path) => !there.has(path)) ? { of: 'kubeflow' } : { of: 'older', missing };
}

function conditionsText({ status }: CustomResourceDefinition): string {
  const problem = status?.conditions?.find((condition) => condition.status === 'False' && condition.message);
  return problem ? `: ${problem.message}` : '';
}

/** Names some fields; a missing parent represents its children. */
function someOf(paths: readonly string[]): string {
  const roots = paths.filter((path) => !paths.some((other) => path !== other && path.startsWith(`${other}.`)));
  const more = roots.length - MAX_FIELDS;
  return `${roots.slice(0, MAX_FIELDS).join(', ')}${more > 0 ? ` and ${more} more fields` : ''}`;
}
