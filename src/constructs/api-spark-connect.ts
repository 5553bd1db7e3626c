import { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { CheckedResource } from './_checked-resource';
import { podTemplateSchema, specSchema } from '../rules/schemas';
import { SPARK_CONNECT, SparkConnectSpec } from '../api/spark-connect';
import type { Metadata } from '../rules/metadata';
import { asStored } from '../rules/stored';
import { planConnect } from '../plan/plan-connect';
import { inWordsOfConnect } from '../plan/connect/as-application';
import { quotaViolations, settingsIn } from '../props/_application-violations';
import { moved, type Problem } from '../model/problem';
import { withKubernetesTypes } from '../rules/kubernetes-types';

/** A `SparkConnect` in the shape of the manifest. */
export interface ApiSparkConnectProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /** Specification of the server and its executors. */
  readonly spec: SparkConnectSpec;
}

/**
 * The raw custom resource `SparkConnect` (`sparkoperator.k8s.io/v1alpha1`), in the shape of the
 * manifest.
 *
 * Synthesis rejects what the CRD would reject, and a server without an image. The error contains
 * each field, its value and the reason. Quotas, policies and webhooks of a cluster can still reject
 * more.
 */
export class ApiSparkConnect extends CheckedResource {
  constructor(scope: Construct, id: string, props: ApiSparkConnectProps) {
    super(scope, id, SPARK_CONNECT, props.metadata, props.spec, normalizedConnect);
  }

  /** @internal */
  protected override _specViolations(metadata: Metadata, spec: SparkConnectSpec): Problem[] {
    // A patch might change the name.
    const { name = this.name } = metadata as Metadata & { readonly name?: string };
    const known = this._known();
    const { problems, submittable } = planConnect({
      metadata: { name, namespace: metadata.namespace ?? spec.sparkConf?.['spark.kubernetes.namespace'] ?? 'default', uid: '' },
      spec: asStored(specSchema(SPARK_CONNECT), spec) as SparkConnectSpec,
    }, settingsIn(known));
    const ofQuota = submittable && known?.quota ? quotaViolations(submittable, known.quota) : [];
    return [
      ...problems.map((problem) => (problem.unknown ? { ...problem, severity: undefined } : problem)),
      ...ofQuota.map((problem) => moved(problem, inWordsOfConnect)),
    ];
  }
}

const ROLES = ['server', 'executor'] as const;

/**
 * Returns the specification as Kubernetes requires it.
 * @internal
 */
export function normalizedConnect(spec: SparkConnectSpec): SparkConnectSpec {
  const { template, definitions } = podTemplateSchema();
  const parts = ROLES.flatMap((role) => (spec?.[role]?.template ? [
    [role, { ...spec[role], template: withKubernetesTypes(template, spec[role].template, definitions) }],
  ] : []));
  return withKubernetesTypes(specSchema(SPARK_CONNECT), { ...spec, ...Object.fromEntries(parts) });
}
