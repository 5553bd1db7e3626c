import { podTemplateSchema, schemaOfKind } from './_schema';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { podTemplateViolations } from '../rules/pod-template';
import type { Schema } from '../rules/schema';
import { submissionViolations } from '../plan/checks/submission';
import { violations } from '../rules/validate';
import type { Violation } from '../model/problem';
import { written } from '../rules/written';

const ROLES = ['driver', 'executor'] as const;

function specSchema(): Schema {
  return schemaOfKind(SPARK_APPLICATION).properties!.spec!;
}

/**
 * What the API server, or the operator whatever the cluster is like, would refuse in the specification of a SparkApplication.
 * @param namespace the application's, if it is known
 * @internal
 */
export function applicationViolations(spec: SparkApplicationSpec, namespace: string | undefined): Violation[] {
  const found = [
    ...violations(specSchema(), spec, 'spec'),
    ...ROLES.flatMap((role) => podTemplateViolations(podTemplateSchema(), spec?.[role]?.template, `spec.${role}.template`)),
    ...namespaceViolations(spec?.sparkConf, namespace),
  ];
  // These rely on the types.
  return found.length > 0 || !spec ? found : submissionViolations(spec, namespace);
}

/**
 * The specification as Kubernetes wants to have it written, also in the templates, which the CRD leaves open.
 * @internal
 */
export function applicationAsWritten(spec: SparkApplicationSpec): SparkApplicationSpec {
  const { template, definitions } = podTemplateSchema();
  const parts = ROLES.flatMap((role) => {
    const pod = spec?.[role];
    return pod?.template ? [[role, { ...pod, template: written(template, pod.template, definitions) }]] : [];
  });
  return written(specSchema(), { ...spec, ...Object.fromEntries(parts) });
}

const NAMESPACE = 'spark.kubernetes.namespace';

/** The application would run where its operator may not look. Without a namespace of its own it is applied to one that is not known here. */
function namespaceViolations(sparkConf: SparkApplicationSpec['sparkConf'], namespace: string | undefined): Violation[] {
  const value = sparkConf?.[NAMESPACE];
  if (value === undefined || namespace === undefined || value === namespace) return [];
  return [{ path: `spec.sparkConf["${NAMESPACE}"]`, value, reason: `must be the namespace of the application, ${namespace}: remove it` }];
}
