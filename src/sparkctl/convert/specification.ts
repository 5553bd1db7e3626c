import { isScalar, type Document, type YAMLMap } from 'yaml';
import { addBehind, fieldOf, objectIn, remove, rename, replace, valueIn } from './nodes';

/** Note on a conversion. */
export interface ConversionNote {
  /**
   * Error: not converted. Warning: converted with another meaning. Note: dropped without effect.
   */
  readonly severity: 'error' | 'warning' | 'note';
  /** Path of the field before the conversion, such as `spec.driver.cores`. */
  readonly field: string;
  /** Rest of a sentence that begins with the field. */
  readonly message: string;
}

/** Callback for each note. */
export type OnNote = (severity: ConversionNote['severity'], field: string, message: string) => void;

/** Fields of `deps` for the init container of Spark 2.3, which downloaded dependencies. */
const DOWNLOAD_FIELDS = ['jarsDownloadDir', 'filesDownloadDir', 'downloadTimeout', 'maxSimultaneousDownloads'] as const;

/**
 * Converts the specification of an application from v1beta1 to v1beta2, in place. All other fields
 * have the same names and meanings in both. In v1beta2, `securityContext` is that of Spark's
 * container.
 *
 * | v1beta1 | v1beta2 |
 * |---|---|
 * | `cores` of driver and executor: any number | rounded up; a fraction becomes `coreRequest` |
 * | `securityContext` of driver and executor: of the Pod | `podSecurityContext` |
 * | `restartPolicy`: also a word, from v1alpha1 | `restartPolicy.type` |
 * | `initContainerImage`, `DOWNLOAD_FIELDS` of `deps` | none: they were for Spark 2.3 |
 * | `serviceAccount` of the pod that ran spark-submit | none: the operator submits |
 * | `mode: in-cluster-client` | none: the driver always has its own Pod |
 * | `pythonVersion`: 2 by default | 3 by default; Spark 3 and later support no other |
 */
export function convertSpecification(spec: YAMLMap, document: Document, path: string, addNote: OnNote): void {
  if (remove(spec, 'initContainerImage')) {
    addNote(
      'note', `${path}.initContainerImage`,
      'is dropped: since Spark 2.4 there is no such container; use initContainers of driver and executor for preparations',
    );
  }
  if (remove(spec, 'serviceAccount')) {
    addNote(
      'note', `${path}.serviceAccount`,
      'is dropped: it was that of the pod that ran spark-submit; those of the driver and the executors stay',
    );
  }
  convertRestartPolicy(spec, document, path, addNote);
  const deps = objectIn(spec, 'deps');
  for (const field of deps ? DOWNLOAD_FIELDS : []) {
    if (remove(deps!, field)) {
      addNote(
        'note', `${path}.deps.${field}`,
        'is dropped: it was for the init container of Spark 2.3; the driver itself loads dependencies',
      );
    }
  }
  const mode = valueIn(spec, 'mode');
  if (mode === 'in-cluster-client') {
    addNote(
      'error', `${path}.mode`,
      'in-cluster-client cannot be converted: the driver ran in your Pod, and here it always has its own: '
        + 'write cluster, and remove the program from your Pod',
    );
  }
  if (valueIn(spec, 'type') === 'Python' && [undefined, '2', 2].includes(valueIn(spec, 'pythonVersion') as string | undefined)) {
    addNote('warning', `${path}.pythonVersion`, fieldOf(spec, 'pythonVersion')
      ? 'is 2, which Spark 3 and later cannot run: port the program, and write "3"'
      : 'had the default 2, which is 3 now: check that the program runs with Python 3');
  }
  for (const role of ['driver', 'executor'] as const) {
    const pod = objectIn(spec, role);
    if (pod) convertPod(pod, document, `${path}.${role}`, addNote);
  }
}

function convertRestartPolicy(spec: YAMLMap, document: Document, path: string, addNote: OnNote): void {
  const policy = fieldOf(spec, 'restartPolicy');
  if (isScalar(policy?.value) && typeof policy.value.value === 'string') policy.value = document.createNode({ type: policy.value.value });
  for (const field of ['failureRetries', 'retryInterval']) {
    if (fieldOf(spec, field)) {
      addNote(
        'warning', `${path}.${field}`,
        'has no effect, as it had none in v1beta1: write restartPolicy.onFailureRetries and onFailureRetryInterval',
      );
    }
  }
}

function convertPod(pod: YAMLMap, document: Document, path: string, addNote: OnNote): void {
  convertCores(pod, document, path, addNote);
  if (!fieldOf(pod, 'securityContext')) return;
  if (fieldOf(pod, 'podSecurityContext')) {
    addNote(
      'error', `${path}.securityContext`, 'cannot be converted: it would become podSecurityContext, which is set already: merge them',
    );
  } else {rename(pod, 'securityContext', 'podSecurityContext');}
}

/**
 * Converts fractional cores: the CPU request has the fraction, and Spark runs one task for each
 * whole core.
 */
function convertCores(pod: YAMLMap, document: Document, path: string, addNote: OnNote): void {
  const written = valueIn(pod, 'cores');
  const cores = typeof written === 'string' && written.trim() !== '' ? Number(written) : written;
  if (typeof cores !== 'number' || !Number.isFinite(cores) || cores <= 0 || (Number.isInteger(cores) && typeof written === 'number')) {
    return;
  }
  const whole = Math.ceil(cores);
  replace(pod, 'cores', whole);
  if (Number.isInteger(cores)) return;
  const request = `${Math.round(cores * 1000)}m`;
  if (fieldOf(pod, 'coreRequest')) {
    addNote('warning', `${path}.cores`, `(${cores}) becomes ${whole}; the existing coreRequest sets the CPU request`);
    return;
  }
  addBehind(pod, 'cores', document.createPair('coreRequest', request));
  addNote(
    'warning', `${path}.cores`,
    `(${cores}) becomes ${whole}, with coreRequest: ${request}: `
      + `the CPU request is the same as before${whole === 1 ? '' : `, for ${whole} tasks at a time`}`,
  );
}
