import { podTemplateSchema, schemaOfKind } from './_schema';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { podTemplateViolations } from '../validation/pod-template';
import type { Schema } from '../validation/schema';
import { submissionViolations } from '../validation/submission';
import { violations, type Violation } from '../validation/validate';
import { written } from '../validation/written';

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
export function applicationViolations(spec: SparkApplicationSpec, namespace: string | undefined): Violation[] {
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
    return pod?.template ? [[role, { ...pod, template: written(template, pod.template, definitions) }]] : [];
  });
  return written(specSchema(), { ...spec, ...Object.fromEntries(parts) });
}

const NAMESPACE = 'spark.kubernetes.namespace';

/**
 * Rejects another namespace in the properties: the application's operator might not watch it.
 * Without `metadata.namespace`, the namespace is unknown here.
 */
function namespaceViolations(sparkConf: SparkApplicationSpec['sparkConf'], namespace: string | undefined): Violation[] {
  const value = sparkConf?.[NAMESPACE];
  if (value === undefined || namespace === undefined || value === namespace) return [];
  return [{ path: `spec.sparkConf["${NAMESPACE}"]`, value, reason: `must be the namespace of the application, ${namespace}: remove it` }];
}
