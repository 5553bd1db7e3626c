import type { KubeObject } from '../../kube/objects';

/** The fields of an `AdmissionReview` (`admission.k8s.io/v1`) request that the webhook reads. */
export interface AdmissionRequest {
  /** Identifies the request; the response repeats it. */
  readonly uid: string;
  /** The operation on the object. */
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** The kind of the object. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** Subresource that is written, such as `status`; undefined for the object itself. */
  readonly subResource?: string;
  /** Namespace of the object. It takes precedence over that in the object, which can be missing. */
  readonly namespace: string;
  /** Name of the object; undefined if the API server is going to generate it. */
  readonly name?: string;
  /** The new object; undefined if it is deleted. */
  readonly object?: KubeObject;
  /** The existing object; undefined if it is created. */
  readonly oldObject?: KubeObject;
  /** Whether the API server stores nothing. */
  readonly dryRun: boolean;
}

/** One operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  /** A JSON Pointer. */
  readonly path: string;
  readonly value?: unknown;
}

/** The answer to a review. */
export interface AdmissionAnswer {
  /** Whether the object is accepted. */
  readonly allowed: boolean;
  /** Reason of the refusal: the problem, its place, and the remedy. */
  readonly message?: string;
  /**
   * HTTP status of a refusal. Default: 403, as for other webhooks; 422 for an invalid object, 503
   * for a transient problem.
   */
  readonly code?: number;
  /** Notes for the user about an accepted object. kubectl prints each as a separate line. */
  readonly warnings?: readonly string[];
  /** Changes of the object. */
  readonly patch?: readonly PatchOperation[];
}

/**
 * Answers the reviews of one kind. The server answers an error of the handler with a 500, and the
 * failure policy of the webhook decides what follows. It passes on the text of the error only if it
 * is a `CannotAnswer`.
 */
export type AdmissionHandler = (request: AdmissionRequest, signal?: AbortSignal) => AdmissionAnswer | Promise<AdmissionAnswer>;

/**
 * An error for a review that cannot be answered now, with a reason for users. A retry can succeed.
 * The failure policy of the webhook decides what follows.
 */
export class CannotAnswer extends Error {}

/** The answer that accepts an object without a message. */
export const ALLOWED: AdmissionAnswer = { allowed: true };
