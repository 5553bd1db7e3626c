import { auditOf, type AuditedCall } from './audit';
import type { Installation } from '../../helpers/installation';
import { until } from './until';

/** The name by which the API server knows a service account of an installation. */
export const userOf = ({ namespace }: Installation, account = 'spark-operator'): string => `system:serviceaccount:${namespace}:${account}`;

/** A call as a right, such as `list /pods`. */
export const textOf = ({ verb, resource }: AuditedCall): string => `${verb} ${resource}`;

/** Each verb on each resource that a service account of an installation was granted. */
export function granted({ objects, namespace }: Installation, account = 'spark-operator'): string[] {
  const isOurs = ({ subjects = [] }: any) => subjects.some((subject: any) => subject.namespace === namespace && subject.name === account);
  const bindings = objects.filter((object) => object.kind.endsWith('RoleBinding') && isOurs(object));
  const roles = bindings.map(({ roleRef, metadata }) => objects.find((object) => (
    object.kind === roleRef.kind && object.metadata.name === roleRef.name && object.metadata.namespace === metadata.namespace
  )));
  const rules = roles.flatMap((role) => role.rules);
  return [...new Set(rules.flatMap(({ apiGroups, resources, verbs }: any) => verbs.map((verb: string) => `${verb} ${apiGroups[0]}/${resources[0]}`)))];
}

/** Fails on a right that was not used, by the API server's audit log, and on one that was missing. */
export async function expectJustWhatIsNeeded(installation: Installation, excused: readonly string[] = [], account = 'spark-operator'): Promise<void> {
  const user = userOf(installation, account);
  const unused = () => {
    const used = new Set(auditOf(user).map(textOf));
    return granted(installation, account).filter((right) => !used.has(right) && !excused.includes(right));
  };
  // The last entries are written after their answers were sent, and on a busy machine some calls are made later than what was waited for.
  await until(() => unused().length === 0, 150).catch(() => {});
  expect({ unused: unused(), forbidden: auditOf(user).filter(({ code }) => code === 403) }).toEqual({ unused: [], forbidden: [] });
}

