import type { GivenProps } from '../setup/options';
import type { Translation } from './translate';
import type { PropsPart } from './values/translation';

/**
 * Returns the default namespace of this operator. It differs from that of kubeflow's, as both have
 * a Service and a Secret of the same names for their webhooks.
 */
export function ownNamespace(theirs: string): string {
  return theirs === 'spark-operator' ? 'spark-system' : 'spark-operator';
}

/** Returns the props of the new operator. Options take precedence over values of the chart. */
export function documentOf({ props, chart: { release } }: Translation, given: GivenProps): PropsPart {
  const { namespace = ownNamespace(release.namespace), jobNamespaces, ...others } = given;
  const { allNamespaces, namespaceSelector, jobNamespaces: all, ...rest } = props;
  const selection = jobNamespaces ? { jobNamespaces } : Object.fromEntries(
    Object.entries({ jobNamespaces: all, namespaceSelector, allNamespaces }).filter(([, value]) => value !== undefined),
  );
  return {
    namespace,
    // The chart does not create it, and it has objects of the other operator.
    ...(namespace === release.namespace && { createNamespace: false }),
    ...selection, ...rest, ...others,
  };
}
