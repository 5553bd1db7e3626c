import type { Construct } from 'constructs';
import { wrongProps } from './_application-checks';
import { ChangingSpec } from './_changing-spec';
import { checkedProps, withoutRepetitions } from './_prop-types';
import { APPLICATION_PROP_TYPES } from './_application-prop-types';
import { completeSpec, serviceOptions, workloadSpec } from './_workload-spec';
import { SparkApplicationProps } from './spark-application-props';
import { DeployMode, SparkApplicationSpec } from '../api/spark-application';
import type { Problem } from '../model/problem';

/** @internal */
export interface ApplicationParts {
  /** The props without wrong values. */
  readonly props: SparkApplicationProps;
  readonly spec: ChangingSpec;
  readonly found: Problem[];
}

/**
 * Converts props to the specification of the manifest, without the profile.
 * @returns the problems are those of props that the manifest does not show; the specification is
 * checked later as a whole
 * @internal
 */
export function applicationSpec(given: SparkApplicationProps, scope?: Construct): ApplicationParts {
  const { props, problems } = checkedProps(given, APPLICATION_PROP_TYPES, scope);
  return { props, spec: ownSpec(props), found: withoutRepetitions(problems, wrongProps(props)) };
}

/**
 * Converts valid props.
 * @internal
 */
export function ownSpec(props: SparkApplicationProps): ChangingSpec {
  const { metadata: _, profile: __, jobNamespace: ___, strict: ____, driverIngresses, ...same } = props;
  return {
    ...workloadSpec(same),
    mode: DeployMode.CLUSTER,
    driverIngressOptions: driverIngresses?.map(({ port, url, ...options }) => (
      { servicePort: port, ingressURLFormat: url, ...serviceOptions(options), servicePortName: options.portName ?? `driver-ing-${port}` }
    )),
  };
}

/**
 * Returns the specification to write.
 * @param own the application's own specification, with all later changes
 * @internal
 */
export function completeApplication(
  own: ChangingSpec, { profile, jobNamespace }: Pick<SparkApplicationProps, 'profile' | 'jobNamespace'>,
): SparkApplicationSpec {
  return completeSpec(own, {
    profile: profile?._toSpec(), layer: jobNamespace?._known().layer,
    serviceAccountName: jobNamespace?.serviceAccountName,
  });
}
