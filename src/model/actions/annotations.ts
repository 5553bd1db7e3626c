/** On the driver of an application: when somebody asked for it to be run again. Each new value is a change of the specification, which is what runs an application again. */
export const ANNOTATION_RERUN_AT = 'sparkoperator.k8s.io/rerun-at';

/** On what the client has created: the id of the request that it was created for. By it a submission whose answer was lost finds its own object again. */
export const ANNOTATION_REQUEST_ID = 'sparkoperator.k8s.io/request-id';
