import { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { applicationAsWritten, applicationViolations } from '../props/_application-violations';
import { CheckedResource } from './_checked-resource';
import { planViolations } from '../props/_schedule-spec';
import { SCHEDULED_SPARK_APPLICATION, ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import type { Metadata } from '../rules/metadata';
import type { Violation } from '../model/problem';

/** A `ScheduledSparkApplication` in the manifest's own shape. */
export interface ApiScheduledSparkApplicationProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /** What to run, and when. */
  readonly spec: ScheduledSparkApplicationSpec;
}

/**
 * The raw custom resource `ScheduledSparkApplication` (`sparkoperator.k8s.io/v1beta2`), for those who want the manifest's own shape.
 *
 * The constructor rejects what the CRD would reject, unreadable schedules and time zones, and many mistakes that would fail each run. The error
 * names each field, its value and the reason. Quotas, policies and webhooks of a cluster can still reject more.
 */
export class ApiScheduledSparkApplication extends CheckedResource {
  constructor(scope: Construct, id: string, props: ApiScheduledSparkApplicationProps) {
    super(scope, id, SCHEDULED_SPARK_APPLICATION, props.metadata, props.spec, asWritten);
  }

  /** @internal */
  protected override _specViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Violation[] {
    return [...planViolations(spec), ...this._templateViolations(metadata, spec)];
  }

  /**
   * What is wrong with the template.
   * @internal
   */
  protected _templateViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Violation[] {
    if (typeof spec?.template !== 'object' || spec.template === null) return [];
    return applicationViolations(spec.template, metadata.namespace).map((violation) => ({ ...violation, path: violation.path.replace(/^spec\b/, 'spec.template') }));
  }
}

function asWritten(spec: ScheduledSparkApplicationSpec): ScheduledSparkApplicationSpec {
  return spec?.template ? { ...spec, template: applicationAsWritten(spec.template) } : spec;
}
