import { LABEL_ATTEMPT, LABEL_SUBMISSION_ID } from '../../../api/labels';
import { LruMap } from '../../../kube/lru-map';
import { isSameLayers, withLayers } from '../../../plan/defaults/apply';
import type { Layers } from '../../../plan/defaults/layer';
import type { Pod } from '../../../model/kubernetes-objects';
import { withoutSecrets } from '../../../text/redaction';
import type { WholeApplication } from '../../../model/spark-application';
import { prepareSubmission, type PreparedSubmission } from '../../../plan/prepare';
import { refuseOversized } from '../../../plan/oversized';
import { jsonWeight } from '../../../kube/json-weight';
import { CannotAnswer } from '../review';
import type { AdmissionDependencies } from '../world';

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

/** The most that the specifications weigh whose preparations are kept, in bytes by `jsonWeight`: a hundred usual ones. */
const MAX_PREPARED_BYTES = 8 * 1024 * 1024;

/** Estimates the bytes that a preparation takes of the heap: one of the smallest specification takes 10 KiB, and the others up to twice what they weigh. */
const LEAST_WEIGHT = 8 * 1024;

/** Submissions that pods are part of. The last one of an application is kept: Spark creates many executors of it at a time, and preparing it is most of what each costs. */
export class Preparations {
  private readonly kept = new LruMap<string, Preparation>(MAX_PREPARED_BYTES, ({ application: { spec } }) => LEAST_WEIGHT + jsonWeight(spec));

  constructor(private readonly world: Pick<AdmissionDependencies, 'submission' | 'defaults'>) {}

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
    refuseOversized(application);
    const { status } = application;
    const prepared = prepareSubmission({ ...application, spec: current ? withLayers(application.spec, layers).spec : application.spec }, {
      attempt: Number(attempt ?? status?.submissionAttempts ?? 1),
      submissionID: submissionID ?? status?.submissionID ?? '',
      submitTime: new Date(status?.lastSubmissionAttemptTime ?? 0),
      sparkUser: submission.sparkUser,
      webUIUrlFormat: submission.webUIUrlFormat,
    });
    this.kept.set(uid, { application, attempt, submissionID, layers, prepared });
    return prepared;
  }
}
