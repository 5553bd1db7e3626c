import type { JobNamespaceSelection } from './_namespace-selectors';
import { operatorFlags } from './_operator-flags';
import { type OperatorNames, operatorNames } from './_operator-names';
import type { SparkOperatorProps } from './spark-operator-props';
import { type LabelRequirement, parseSelector } from '../rules/label-selector';
import { canSparkSubmit, type Features, featuresOf } from '../flags/permissions';

/**
 * Props and names of an installation, for all of its parts.
 * @internal
 */
export interface OperatorContext {
  readonly props: SparkOperatorProps;
  readonly namespace: string;
  readonly names: OperatorNames;
  /** Names of service accounts. */
  readonly accounts: { readonly operator: string; readonly webhook: string; readonly console: string };
  /** Job namespaces. The list grows until synthesis, so manifests read it then. */
  readonly jobNamespaces: string[];
  /** Whether the operator has its permissions in the whole cluster. */
  readonly isClusterWide: boolean;
  readonly selection: JobNamespaceSelection;
  readonly features: Features;
  /** Whether applications can be submitted by spark-submit, with the service account of drivers. */
  readonly canSparkSubmit: boolean;
}

/**
 * Returns the context of an operator with accepted props.
 * @internal
 */
export function operatorContext(props: SparkOperatorProps): OperatorContext {
  const { namespace = 'spark-operator', allNamespaces, namespaceSelector, namespaceSelectorExpression, webhook, console } = props;
  const isClusterWide = allNamespaces === true || namespaceSelector !== undefined || namespaceSelectorExpression !== undefined;
  const jobNamespaces = [...props.jobNamespaces ?? (isClusterWide ? [] : ['default'])];
  const names = operatorNames(props, namespace);
  const args = operatorFlags(props, { namespace, names, jobNamespaces });
  return {
    props, namespace, names, jobNamespaces, isClusterWide,
    accounts: {
      operator: props.serviceAccountName ?? names.operator.name,
      webhook: webhook?.deployment?.serviceAccountName ?? names.webhook.name,
      console: console?.serviceAccountName ?? names.console.name,
    },
    selection: {
      names: jobNamespaces, labels: namespaceSelector, requirements: requirementsIn(namespaceSelectorExpression),
      all: allNamespaces === true,
    },
    features: featuresOf(args, names.lease),
    canSparkSubmit: canSparkSubmit(args),
  };
}

/** Returns the requirements of a label selector; undefined without one, or for an invalid one. */
function requirementsIn(selector: string | undefined): readonly LabelRequirement[] | undefined {
  const parsed = selector === undefined ? undefined : parseSelector(selector);
  return typeof parsed === 'string' ? undefined : parsed;
}
