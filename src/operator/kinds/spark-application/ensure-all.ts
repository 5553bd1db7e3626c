import { belongingOf } from './belonging';
import { ensure } from './ensure';
import { ensureGroup } from './ensure-group';
import type { SparkApplication } from '../../../model/spark-application';
import type { Performer } from './performer';
import { RESOURCES, type CreatedObject } from '../../driver/created-objects';
import { all } from '../../driver/objects';
import type { Resource } from '../../../kube/resource';
import { resourceOfGroup } from '../../../plan/schedulers/registry';
import type { SubmissionResource } from '../../../plan/native/feature-step';

/**
 * Creates the objects that a driver needs, all at the same time.
 *
 * @param made receives the objects that belong to this submission
 */
export async function ensureAll(
  performer: Performer, application: SparkApplication, resources: readonly SubmissionResource[], created: CreatedObject[],
): Promise<void> {
  await all(resources.map(async (wanted) => {
    const resource = resourceOf(wanted);
    const object = wanted.kind === 'PodGroup'
      ? await ensureGroup(performer, application, wanted)
      : await ensure(performer, application, resource, wanted);
    if (belongingOf(object, application) === 'ours') created.push({ resource, object });
  }));
}

function resourceOf(object: SubmissionResource): Resource<any> {
  return object.kind === 'PodGroup' ? resourceOfGroup(object) : RESOURCES[object.kind];
}
