import { createHash } from 'node:crypto';
import type { RenderSettings } from './settings';
import { SPARK_APPLICATION, type SparkApplicationSpec } from '../../api/spark-application';
import type { SparkApplicationStatus } from '../../api/spark-application-status';
import type { SubmissionIds } from '../../plan/plan-application';
import type { SubmittedApplication } from '../../plan/properties/properties';
import { specSchema } from '../../rules/schemas';
import { asStored } from '../../rules/stored';
import type { ManifestObject } from '../manifests/read';

/**
 * Returns a placeholder for an id that only the API server or the operator can choose. It is
 * recognizable as a placeholder, and it depends on the application, so that names derived from it
 * are unique.
 */
function placeholderId(namespace: string, name: string): string {
  return `00000000-0000-0000-0000-${createHash('sha256').update(`${namespace}/${name}`).digest('hex').slice(0, 12)}`;
}

/** Application and the ids of its submission. */
export interface RenderedApplication {
  readonly application: SubmittedApplication;
  readonly ids: SubmissionIds;
  /** Options that would replace a placeholder with a real value. */
  readonly placeholders: readonly string[];
}

/** Object of a valid manifest. */
interface CheckedObject extends ManifestObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | null;
    readonly uid?: string | null;
    readonly generation?: number | null;
    readonly labels?: Readonly<Record<string, string>> | null;
    readonly annotations?: Readonly<Record<string, string>> | null;
  };
  readonly status?: Partial<SparkApplicationStatus>;
}

/**
 * Returns the application of a manifest as the operator would read it from the API server, and its
 * submission. Values of a live object (`kubectl get -o yaml`) are used; missing ones get constant
 * placeholders.
 *
 * @param object object without violations
 */
export function applicationOf(object: ManifestObject, settings: RenderSettings): RenderedApplication {
  const { metadata, spec, status } = object as CheckedObject;
  const submissionID = settings.submissionID ?? status?.submissionID;
  const submitTime = settings.submitTime ?? timeOf(status?.lastSubmissionAttemptTime);
  const uid = settings.uid ?? metadata.uid;
  const namespace = metadata.namespace || settings.namespace || 'default';
  const placeholder = placeholderId(namespace, metadata.name);
  const missing = { '--uid': uid, '--submission-id': submissionID, '--submit-time': submitTime };
  return {
    application: {
      metadata: {
        name: metadata.name,
        namespace,
        uid: uid ?? placeholder,
        generation: metadata.generation ?? undefined,
        labels: metadata.labels ?? undefined,
        annotations: metadata.annotations ?? undefined,
      },
      spec: asStored(specSchema(SPARK_APPLICATION), spec) as SparkApplicationSpec,
    },
    ids: {
      submissionID: submissionID ?? placeholder,
      attempt: settings.attempt ?? status?.submissionAttempts ?? 1,
      submitTime: submitTime ?? new Date(0),
    },
    placeholders: Object.entries(missing).flatMap(([option, value]) => (value ? [] : [option])),
  };
}

function timeOf(text: string | null | undefined): Date | undefined {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? undefined : time;
}
