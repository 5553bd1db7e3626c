import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { isReady, type Node } from '../../model/nodes';

const findings = findingsOf('Nodes');

/** Maximum number of nodes that are named; the rest is counted. */
const MAX_NAMES = 5;

/** Checks whether there are nodes that accept pods. */
export function nodesFinding(reading: Reading<readonly Node[]>): Finding {
  if (isUnreadable(reading)) return unreadable(findings, 'the nodes', reading);
  const nodes = reading.kind === 'found' ? reading.value : [];
  if (nodes.length === 0) return findings.error('the cluster has no nodes: no driver can start', 'kubectl get nodes');
  const unready = nodes.filter((node) => !isReady(node));
  const cordoned = nodes.filter((node) => isReady(node) && node.spec?.unschedulable);
  const takes = nodes.length - unready.length - cordoned.length;
  const count = `${takes} of ${nodes.length} ${nodes.length === 1 ? 'node accepts' : 'nodes accept'} pods`;
  const why = [namesText('not ready', unready), namesText('cordoned', cordoned)].filter((text) => text !== undefined).join('; ');
  if (takes === 0) return findings.error(`${count} (${why}): no driver can start`, 'kubectl get nodes');
  return unready.length > 0
    ? findings.warning(`${count} (${why})`, `kubectl describe node ${unready[0]!.metadata.name}`)
    : findings.ok(why === '' ? count : `${count} (${why})`);
}

function namesText(what: string, nodes: readonly Node[]): string | undefined {
  if (nodes.length === 0) return undefined;
  const more = nodes.length - MAX_NAMES;
  return `${what}: ${nodes.slice(0, MAX_NAMES).map(({ metadata }) => metadata.name).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
