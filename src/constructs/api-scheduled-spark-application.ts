import { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { normalizedApplication, applicationViolations } from '../props/_application-violations';
import { CheckedResource } from './_checked-resource';
import { planViolations } from '../props/_schedule-spec';
import { SCHEDULED_SPARK_APPLICATION, ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import type { Metadata } from '../rules/metadata';
import type { Problem } from '../model/problem';

/** A `ScheduledSparkApplication` in the shape of the manifest. */
export interface ApiScheduledSparkApplicationProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /** Schedule, and template of the runs. */
  readonly spec: ScheduledSparkApplicationSpec;
}

/**
 * The raw custom resource `ScheduledSparkApplication` (`sparkoperator.k8s.io/v1beta2`), in the
 * shape of the manifest.
 *
 * Synthesis rejects what the CRD would reject, invalid schedules and time zones, and many mistakes
 * that would make each run fail. The error contains each field, its value and the reason.
 * Quotas, policies and webhooks of a cluster can still reject more.
 */
export class ApiScheduledSparkApplication extends CheckedResource {
  constructor(scope: Construct, id: string, props: ApiScheduledSparkApplicationProps) {
    super(scope, id, SCHEDULED_SPARK_APPLICATION, props.metadata, props.spec, normalizedSchedule);
  }

  /** @internal */
  protected override _specViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Problem[] {
    return [...planViolations(spec), ...this._templateViolations(metadata, spec)];
  }

  /**
   * Returns the problems of the template.
   * @internal
   */
  protected _templateViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Problem[] {
    if (typeof spec?.template !== 'object' || spec.template === null) return [];
    return applicationViolations({ namespace: metadata.namespace }, spec.template).map((violation) => ({
      ...violation, path: violation.path.replace(/^spec\b/, 'spec.template'),
    }));
  }
}

/**
 * Returns the specification as Kubernetes requires it.
 * @internal
 */
export function normalizedSchedule(spec: ScheduledSparkApplicationSpec): ScheduledSparkApplicationSpec {
  return typeof spec.template === 'object' && spec.template ? { ...spec, template: normalizedApplication(spec.template) } : spec;
}
