import { LABEL_APP_NAME, LABEL_APP_UID, LABEL_CREATED_BY, LABEL_SUBMISSION_ID } from '../../../api/labels';
import type { ObjectMeta } from '../../../kube/objects';
import type { OwnMetadata } from '../../owned/own-metadata';
import { ownerOf } from '../../../model/ownership';
import type { SparkApplication } from '../../../model/spark-application';

/** The operator's labels of what belongs to an application besides its pods. */
export function ownedLabels({ metadata, status }: SparkApplication): Record<string, string> {
  return {
    [LABEL_APP_NAME]: metadata.name,
    [LABEL_APP_UID]: metadata.uid,
    [LABEL_CREATED_BY]: 'true',
    ...status?.submissionID && { [LABEL_SUBMISSION_ID]: status.submissionID },
  };
}

/** What an object says about itself: where it is, whose it is, and the labels and annotations of its user, over whose labels the operator's win. */
export function metadataOf(application: SparkApplication, name: string, { labels, annotations }: OwnMetadata = {}): ObjectMeta {
  return {
    name,
    namespace: application.metadata.namespace,
    labels: { ...labels, ...ownedLabels(application) },
    ...annotations && Object.keys(annotations).length > 0 && { annotations: { ...annotations } },
    ownerReferences: [ownerOf(application)],
  };
}
