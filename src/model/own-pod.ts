import { LABEL_APP_UID } from '../api/labels';

/** Pod, or what is kept of it. */
interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}

/**
 * Whether a pod whose labels name an object is that object's. A deleted object with the same name
 * had another uid; pods of kubeflow's operator have no label with it.
 */
export function isOwnPod(
  { metadata: { labels } }: Labelled, { metadata: { uid } }: { readonly metadata: { readonly uid?: string } },
): boolean {
  return (labels?.[LABEL_APP_UID] ?? uid) === uid;
}
