import { wrongProps } from './_application-checks';
import { ChangingSpec } from './_changing-spec';
import { specOf } from './_check';
import { completeSpec, serviceOptions, workloadSpec } from './_workload-spec';
import { SparkApplicationProps } from './spark-application-props';
import { DeployMode, SparkApplicationSpec } from '../api/spark-application';
import type { Problem } from '../model/problem';

/**
 * Converts props to the specification of the manifest, without the profile.
 * @returns the specification, and the problems of props without an equivalent in the manifest; the
 * specification is checked later as a whole
 * @internal
 */
export function applicationSpec(props: SparkApplicationProps): { readonly spec: ChangingSpec; readonly found: Problem[] } {
  const { metadata: _, profile: __, jobNamespace: ___, strict: ____, driverIngresses, ...same } = props;
  const spec: ChangingSpec = {
    ...workloadSpec(same),
    mode: DeployMode.CLUSTER,
    driverIngressOptions: driverIngresses?.map(({ port, url, ...options }) => (
      { servicePort: port, ingressURLFormat: url, ...serviceOptions(options), servicePortName: options.portName ?? `driver-ing-${port}` }
    )),
  };
  return { spec, found: wrongProps(props) };
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
    profile: specOf('profile', profile, 'SparkProfile'), layer: jobNamespace?._known().layer,
    serviceAccountName: jobNamespace?.serviceAccountName,
  });
}
