import type { Examination } from './examination';
import { type Finding, findingsOf } from './finding';
import { isMissingNamespace } from '../namespaces';

const findings = findingsOf('Namespaces');

/** Reports namespaces of the command line that do not exist, as far as the user can read them. */
export async function missingNamespaces({ client, namespaces, signal }: Examination): Promise<Finding[]> {
  if (namespaces === undefined || namespaces === 'all') return [];
  const each = await Promise.all(namespaces.map(async (name) => {
    return await isMissingNamespace(client, name, signal) ? [findings.error(`there is no namespace ${name}`, 'kubectl get namespaces')] : [];
  }));
  return each.flat();
}
