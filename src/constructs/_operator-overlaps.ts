import { isDeepStrictEqual } from 'util';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { JobNamespaceSelection } from './_namespace-selectors';
import type { Labels } from './_operator-names';
import type { Problem } from '../model/problem';

/** An operator, and the namespaces that it watches. */
interface Watching extends Construct {
  readonly namespace: string;
  readonly _selection: JobNamespaceSelection;
  readonly _selector: Labels;
}

/**
 * Returns the problems of an operator with others before it for the same namespaces: each would run
 * their applications. Charts can be for different clusters, and then this is only a warning.
 *
 * @param all the operators of the app, in their order
 * @internal
 */
export function overlaps(operator: Watching, all: readonly Watching[]): Problem[] {
  return all.slice(0, all.indexOf(operator)).flatMap((other) => {
    const isInChart = Chart.of(other) === Chart.of(operator);
    const isInNamespace = other.namespace === operator.namespace;
    if (isInChart && isInNamespace && (selects(operator, other) || selects(other, operator))) {
      return [{
        path: 'name', reason: `and naming let Services select pods of the SparkOperator at ${other.node.path}, which is in the same namespace`,
        remedy: 'give one of them another name or namespace, and both the same naming',
      }];
    }
    const value = both(operator._selection, other._selection);
    // The same operator in several charts is one for each cluster.
    if (value === undefined || (!isInChart && isInNamespace)) return [];
    return [{
      path: 'jobNamespaces', value, reason: `is also watched by the SparkOperator at ${other.node.path}, and both would run its applications`,
      remedy: 'leave it to one of them', ...(!isInChart && { severity: 'warning' as const }),
    }];
  });
}

/** Whether the selector of an operator matches the pods of another one. */
function selects({ _selector: selector }: Watching, { _selector: labels }: Watching): boolean {
  return Object.entries(selector).every(([label, value]) => labels[label] === value);
}

/** Returns the name of a namespace, or a description of all, in both selections. */
function both(one: JobNamespaceSelection, other: JobNamespaceSelection): string | undefined {
  if (one.all || other.all) return 'all namespaces';
  const [ours, theirs] = [one, other].map(({ labels, requirements }) => (labels || requirements) && { labels, requirements });
  if (ours && isDeepStrictEqual(ours, theirs)) return 'namespaces with the same labels';
  return one.names.find((name) => other.names.includes(name));
}
