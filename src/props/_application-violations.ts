import { podTemplateSchema, schemaOfKind } from '../rules/schemas';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { podTemplateViolations } from '../rules/pod-template';
import type { Schema } from '../rules/schema';
import { submissionViolations } from '../plan/checks/submission';
import { violations } from '../rules/validate';
import type { Problem } from '../model/problem';
import { withKubernetesTypes } from '../rules/kubernetes-types';

const ROLES = ['driver', 'executor'] as const;

function specSchema(): Schema {
  return schemaOfKind(SPARK_APPLICATION).properties!.spec!;
}

/**
 * Returns the problems for which the API server or the operator would reject the specification of a
 * SparkApplication in every cluster.
 * @param namespace the application's namespace, if it is known
 * @internal
 */
export function applicationViolations(spec: SparkApplicationSpec, namespace: string | undefined): Problem[] {
  const found = [
    ...violations(specSchema(), spec, 'spec'),
    ...ROLES.flatMap((role) => podTemplateViolations(podTemplateSchema(), spec?.[role]?.template, `spec.${role}.template`)),
    ...namespaceViolations(spec?.sparkConf, namespace),
  ];
  // The following checks rely on valid types.
  return found.length > 0 || !spec ? found : submissionViolations(spec, namespace);
}

/**
 * Returns the specification as Kubernetes requires it, including the templates, whose content the
 * CRD does not restrict.
 * @internal
 */
export function normalizedApplication(spec: SparkApplicationSpec): SparkApplicationSpec {
  const { template, definitions } = podTemplateSchema();
  const parts = ROLES.flatMap((role) => {
    const pod = spec?.[role];
    return pod?.template ? [[role, { ...pod, template: withKubernetesTypes(template, pod.template, definitions) }]] : [];
  });
  return withKubernetesTypes(specSchema(), { ...spec, ...Object.fromEntries(parts) });
}

const NAMESPACE = 'spark.kubernetes.namespace';

/**
 * Rejects another namespace in the properties: the application's operator might not watch it.
 * Without `metadata.namespace`, the namespace is unknown here.
 */
function namespaceViolations(sparkConf: SparkApplicationSpec['sparkConf'], namespace: string | undefined): Problem[] {
  const value = sparkConf?.[NAMESPACE];
  if (value === undefined || namespace === undefined || value === namespace) return [];
  return [{ path: `spec.sparkConf[${NAMESPACE}]`, value, reason: `must be the namespace of the application, ${namespace}: remove it` }];
}
