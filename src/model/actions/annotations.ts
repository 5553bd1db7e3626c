/**
 * Annotation of the driver with the time of the last rerun. Each new value changes the
 * specification, and so starts a run.
 */
export const ANNOTATION_RERUN_AT = 'sparkoperator.k8s.io/rerun-at';

/**
 * Annotation of created objects with the id of their request. With it, a client whose create call
 * got no response finds its own object again.
 */
export const ANNOTATION_REQUEST_ID = 'sparkoperator.k8s.io/request-id';
