import type { KubeObject } from '../../kube/objects';

/** What the API server asks a webhook about one object (`AdmissionReview` of `admission.k8s.io/v1`), as far as it is read here. */
export interface AdmissionRequest {
  /** Identifies the question; the answer repeats it. */
  readonly uid: string;
  /** What is done. */
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** The kind of the object. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** A part of the object that is written alone, such as `status`; undefined: the object itself. */
  readonly subResource?: string;
  /** Namespace of the object. Objects may leave theirs out: this one counts. */
  readonly namespace: string;
  /** Name of the object; undefined if the API server is going to make one up. */
  readonly name?: string;
  /** The object as it is to be; undefined if it is deleted. */
  readonly object?: KubeObject;
  /** The object as it is; undefined if it is created. */
  readonly oldObject?: KubeObject;
  /** Nothing is stored in the end. */
  readonly dryRun: boolean;
}

/** One operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  /** A JSON Pointer. */
  readonly path: string;
  readonly value?: unknown;
}

/** What is answered. */
export interface AdmissionAnswer {
  /** Whether the object is taken. */
  readonly allowed: boolean;
  /** Why not: what is wrong, where, and what to write instead. */
  readonly message?: string;
  /** The HTTP status of a refusal. Default: 403, as for webhooks of others; 422 for an object that is wrong, 503 for what may pass when it is tried again. */
  readonly code?: number;
  /** What the user should know although the object is taken: kubectl prints each as a line of its own. */
  readonly warnings?: readonly string[];
  /** What is changed in the object. */
  readonly patch?: readonly PatchOperation[];
}

/** Answers the questions about one kind. An error of its own is answered with a 500, which the failure policy of the webhook decides about, without its text unless it is a `CannotAnswer`. */
export type AdmissionHandler = (request: AdmissionRequest, signal?: AbortSignal) => AdmissionAnswer | Promise<AdmissionAnswer>;

/** A question that cannot be answered for now, for a reason that is for users: it may be another one when it is asked again. The failure policy of the webhook decides. */
export class CannotAnswer extends Error {}

/** Nothing is to be said. */
export const ALLOWED: AdmissionAnswer = { allowed: true };
