import { KnownNamespace } from './job-namespace';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { withKubernetesTypes } from '../rules/kubernetes-types';
import { podTemplateViolations } from '../rules/pod-template';
import { podTemplateSchema, specSchema } from '../rules/schemas';
import { asStored } from '../rules/stored';
import { violations } from '../rules/validate';
import { isAboutDefaults, planApplication, type PlanSettings, type Submittable } from '../plan/plan-application';
import { ROLES } from '../plan/properties/role';
import { compareWithQuotas } from '../plan/quota/compare';
import { needOf } from '../plan/quota/need';
import type { ResourceQuota } from '../plan/quota/resource-quota';
import { SYNTH_SETTINGS } from '../plan/synth-settings';
import type { Problem } from '../model/problem';

/** Metadata of an application, as far as it is known at synthesis. @internal */
export interface KnownMetadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: { readonly [name: string]: string };
  readonly annotations?: { readonly [name: string]: string };
}

/**
 * Returns the problems for which the API server or the operator would reject the specification of a
 * SparkApplication in every cluster, fields without effect, and warnings.
 *
 * @param known what is known about the namespace
 * @internal
 */
export function applicationViolations(metadata: KnownMetadata, spec: SparkApplicationSpec, known?: KnownNamespace): Problem[] {
  const schema = specSchema(SPARK_APPLICATION);
  const ofSchema = [
    ...violations(schema, spec, 'spec'),
    ...ROLES.flatMap((role) => podTemplateViolations(podTemplateSchema(), spec?.[role]?.template, `spec.${role}.template`)),
  ];
  // The planner relies on valid types.
  if (ofSchema.length > 0 || !spec) return ofSchema;
  const { name = 'name', labels, annotations } = metadata;
  const namespace = metadata.namespace ?? spec.sparkConf?.['spark.kubernetes.namespace'] ?? namespaceOfTemplates(spec) ?? 'default';
  const application = { metadata: { name, namespace, uid: '', labels, annotations }, spec: asStored(schema, spec) as SparkApplicationSpec };
  const { problems, submittable } = planApplication(application, settingsIn(known), { imageCanFollow: true });
  // The program contains the defaults of the namespace.
  const found = problems.filter((problem) => !isAboutDefaults(problem));
  return [...found, ...submittable && known?.quota ? quotaViolations(submittable, known.quota) : []];
}

/**
 * Returns the settings for a plan: those of the namespace's operator, else of one that accepts as
 * much as possible.
 * @internal
 */
export function settingsIn(known: KnownNamespace | undefined): PlanSettings {
  return !known ? SYNTH_SETTINGS : {
    submission: known.submission ?? SYNTH_SETTINGS.submission, defaults: { kind: 'ready', layers: { namespace: known.layer } },
  };
}

/**
 * Returns the problems of a workload that needs more than the whole quota.
 * @internal
 */
export function quotaViolations(submittable: Submittable, quota: ResourceQuota): Problem[] {
  const need = needOf(submittable);
  return need ? [...compareWithQuotas({ need }, [quota]).problems] : [];
}

function namespaceOfTemplates({ driver, executor }: SparkApplicationSpec): string | undefined {
  return [driver, executor]
    .map(({ template }) => (template?.metadata as { readonly namespace?: string } | undefined)?.namespace)
    .find(Boolean);
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
  return withKubernetesTypes(specSchema(SPARK_APPLICATION), { ...spec, ...Object.fromEntries(parts) });
}
