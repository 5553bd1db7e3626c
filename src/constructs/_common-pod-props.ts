import { SparkApplicationSpec, SPARK_APPLICATION } from '../api/spark-application';
import { Volume } from '../k8s';
import type { Problem } from '../model/problem';
import { customizePod, customizeUnchecked } from '../plan/pods/customize';
import type { PodCustomization, PodTemplate } from '../plan/pods/pod-template';
import { Problems } from '../plan/problems';
import { SparkProperties } from '../plan/properties/spark-conf';
import { wrongProfile } from '../props/_profile-checks';
import { withPropPath } from '../props/_prop-paths';
import { COMMON_POD_PROP_TYPES } from '../props/_workload-prop-types';
import { podSpec } from '../props/_workload-spec';
import { CommonPodProps } from '../props/common-pod-props';
import { propertyOf } from '../rules/schema';
import { specSchema } from '../rules/schemas';
import { violations } from '../rules/validate';

/** Props of a pod, with the volumes for their mounts. */
interface PodPropsWithVolumes extends CommonPodProps {
  readonly volumes?: Volume[];
}

/**
 * Adds settings to a pod as the operator adds those of an application to its driver: maps and lists
 * are extended, other values replaced. Security settings are extended, too.
 *
 * @param container name of Spark's container
 * @internal
 */
export function withCommonPodProps<T extends PodTemplate>(pod: T, container: string, props: PodPropsWithVolumes): T {
  return customizeUnchecked(pod, customization(pod, container, props)).pod;
}

/**
 * Returns the problems of settings for a pod, for which the API server would reject it.
 * @internal
 */
export function commonPodViolations(pod: PodTemplate, container: string, props: PodPropsWithVolumes): Problem[] {
  const ofProps = wrongProfile({ driver: commonOf(props) });
  const spec = { driver: driverSpec(props), volumes: props.volumes } as SparkApplicationSpec;
  const schema = specSchema(SPARK_APPLICATION);
  const ofSchema = (['driver', 'volumes'] as const).flatMap((field) => violations(propertyOf(schema, field)!, spec[field], `spec.${field}`));
  // The checks of pods rely on valid types.
  const found = ofSchema.length > 0 ? ofSchema : rejectedByApiServer(pod, container, props);
  return [...ofProps, ...found.map(withPropPath(spec))].map((problem) => ({ ...problem, path: problem.path.replace(/^driver\./, '') }));
}

function rejectedByApiServer(pod: PodTemplate, container: string, props: PodPropsWithVolumes): readonly Problem[] {
  const steps = new Problems();
  steps.attempt(() => customizePod(pod, { ...customization(pod, container, props), steps }));
  return steps.list;
}

function customization(pod: PodTemplate, container: string, props: PodPropsWithVolumes): PodCustomization {
  const { podSecurityContext, securityContext, ...spec } = driverSpec(props);
  const own = pod.spec?.containers?.find(({ name }) => name === container);
  return {
    role: 'driver',
    container,
    target: 'pod',
    properties: SparkProperties.of({}),
    application: { volumes: props.volumes },
    spec: {
      ...spec,
      podSecurityContext: podSecurityContext && { ...pod.spec?.securityContext, ...podSecurityContext },
      securityContext: securityContext && { ...own?.securityContext, ...securityContext },
    },
  };
}

/** The Secrets are volumes of the pod: in drivers, Spark mounts them. */
function driverSpec(props: PodPropsWithVolumes) {
  const { secrets: _, ...rest } = commonOf(props);
  return podSpec('driver', rest);
}

function commonOf(props: PodPropsWithVolumes): CommonPodProps {
  return Object.fromEntries(Object.keys(COMMON_POD_PROP_TYPES).map((prop) => [prop, props[prop as keyof CommonPodProps]]));
}
