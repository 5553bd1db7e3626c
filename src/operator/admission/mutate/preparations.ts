import { LABEL_ATTEMPT, LABEL_SUBMISSION_ID } from '../../../api/labels';
import { isSameLayers, withLayers } from '../../defaults/apply';
import type { Layers } from '../../defaults/layer';
import type { Pod } from '../../kubernetes-objects';
import { withoutSecrets } from '../../redaction';
import type { WholeApplication } from '../../spark-application/model';
import { prepareSubmission, type PreparedSubmission } from '../../submission/prepare';
import { refuseOversized } from '../../submission/refuse-oversized';
import { bytesOf } from '../../submission/spec-facts';
import { CannotAnswer } from '../review';
import { WeightedCache } from '../weighted-cache';
import type { AdmissionWorld } from '../world';

/** How the reason begins for which a pod is not created now, and may be later. */
export const HAS_TO_WAIT = 'the pod has to wait: ';

/** A submission that was prepared, and what for. */
interface Preparation {
  readonly application: WholeApplication;
  readonly attempt: string | undefined;
  readonly submissionID: string | undefined;
  readonly layers: Layers;
  readonly prepared: PreparedSubmission;
}

/** Rough size of all submissions that are kept, in bytes: about a thousand of usual size. */
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Rough size of a prepared submission: its own parts, and some bytes for each byte of the
 * specification's JSON.
 */
const [OWN_BYTES, BYTES_PER_BYTE] = [32 * 1024, 4];

/**
 * Submissions that pods are part of. The last ones are kept, one of each application: Spark makes
 * many executors of the same one at a time, and preparing it is most of what each costs.
 */
export class Preparations {
  private readonly kept = new WeightedCache<Preparation>(MAX_BYTES);

  constructor(private readonly world: Pick<AdmissionWorld, 'submission' | 'defaults'>) {}

  /**
   * As for the submission that the pod is part of. The defaults of the cluster are those of now: what they said when the attempt began is not kept, and what
   * they enforce now holds for whatever is created now.
   *
   * @throws CannotAnswer if the defaults of the cluster cannot be used, SubmissionError if the application cannot be submitted
   */
  of({ metadata: { labels = {} } }: Pod, application: WholeApplication): PreparedSubmission {
    const { submission, defaults } = this.world;
    const current = defaults?.current(application.metadata.namespace);
    if (current?.kind === 'unusable') throw new CannotAnswer(`${HAS_TO_WAIT}${withoutSecrets(current.reason)}`);
    const layers = current?.layers ?? {};
    const { [LABEL_ATTEMPT]: attempt, [LABEL_SUBMISSION_ID]: submissionID } = labels;
    const { uid } = application.metadata;
    const kept = this.kept.get(uid);
    if (kept?.application === application && kept.attempt === attempt && kept.submissionID === submissionID && isSameLayers(kept.layers, layers)) return kept.prepared;
    refuseOversized(application.spec);
    const { status } = application;
    const prepared = prepareSubmission({ ...application, spec: current ? withLayers(application.spec, layers).spec : application.spec }, {
      attempt: Number(attempt ?? status?.submissionAttempts ?? 1),
      submissionID: submissionID ?? status?.submissionID ?? '',
      submitTime: new Date(status?.lastSubmissionAttemptTime ?? 0),
      sparkUser: submission.sparkUser,
      webUIUrlFormat: submission.webUIUrlFormat,
    });
    this.kept.set(uid, { application, attempt, submissionID, layers, prepared }, OWN_BYTES + BYTES_PER_BYTE * bytesOf(application.spec));
    return prepared;
  }
}
