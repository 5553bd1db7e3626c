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
import type { AdmissionDependencies } from '../dependencies';

/** Prefix of the reason why a pod is not created now, but can be later. */
export const HAS_TO_WAIT = 'the pod has to wait: ';

/** A prepared submission and its inputs. */
interface Preparation {
  readonly application: WholeApplication;
  readonly attempt: string | undefined;
  readonly submissionID: string | undefined;
  readonly layers: Layers;
  readonly prepared: PreparedSubmission;
}

/**
 * Maximum weight of the specifications with a cached preparation, in bytes by `jsonWeight`: a
 * hundred usual ones.
 */
const MAX_PREPARED_BYTES = 8 * 1024 * 1024;

/**
 * Minimum weight of a preparation, in bytes. On the heap, the smallest specification takes 10 KiB,
 * and others at most twice their weight.
 */
const LEAST_WEIGHT = 8 * 1024;

/**
 * Prepared submissions of pods. It caches the last one of each application. Spark creates many
 * executors at a time, and the preparation is most of the cost of each.
 */
export class Preparations {
  private readonly kept = new LruMap<string, Preparation>(MAX_PREPARED_BYTES, ({ application: { spec } }) => (
    LEAST_WEIGHT + jsonWeight(spec)
  ));

  constructor(private readonly dependencies: Pick<AdmissionDependencies, 'submission' | 'defaults'>) {}

  /**
   * Returns the prepared submission of a pod. The current defaults of the cluster apply: those from
   * the start of the attempt are not stored, and enforced values hold for every new pod.
   *
   * @throws CannotAnswer if the defaults of the cluster cannot be used, SubmissionError if the
   * application cannot be submitted
   */
  of({ metadata: { labels = {} } }: Pod, application: WholeApplication): PreparedSubmission {
    const { submission, defaults } = this.dependencies;
    const current = defaults?.current(application.metadata.namespace);
    if (current?.kind === 'unusable') throw new CannotAnswer(`${HAS_TO_WAIT}${withoutSecrets(current.reason)}`);
    const layers = current?.layers ?? {};
    const { [LABEL_ATTEMPT]: attempt, [LABEL_SUBMISSION_ID]: submissionID } = labels;
    const { uid } = application.metadata;
    const kept = this.kept.get(uid);
    const isSame = kept?.application === application && kept.attempt === attempt && kept.submissionID === submissionID;
    if (isSame && isSameLayers(kept.layers, layers)) return kept.prepared;
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
