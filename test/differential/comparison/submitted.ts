import type { CapturedRequest } from '../../../tools/real-spark/capture-server';

/** A Kubernetes object as JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/** Objects that one submission creates. */
export interface Submitted {
  /** The driver's Pod. */
  readonly pod: Json;
  /** All other objects, in Spark's order. */
  readonly resources: readonly Json[];
}

/** The API of each kind that spark-submit creates, and its name in a URL. */
const KINDS: Readonly<Record<string, string>> = {
  ConfigMap: '/api/v1/namespaces/{}/configmaps',
  NetworkPolicy: '/apis/networking.k8s.io/v1/namespaces/{}/networkpolicies',
  PersistentVolumeClaim: '/api/v1/namespaces/{}/persistentvolumeclaims',
  Pod: '/api/v1/namespaces/{}/pods',
  Secret: '/api/v1/namespaces/{}/secrets',
  Service: '/api/v1/namespaces/{}/services',
};

/**
 * Returns the objects that spark-submit created, from its requests: first it posts the Pod, then it applies everything else.
 *
 * @throws Error if it did something else, so that nothing that it did is overlooked
 */
export function submittedBySpark(requests: readonly CapturedRequest[], namespace: string): Submitted {
  const [first, ...others] = requests;
  const url = (kind: string) => (KINDS[kind] ?? `(no URL of ${kind} is known)`).replace('{}', namespace);
  const expect = (request: CapturedRequest | undefined, expected: Omit<CapturedRequest, 'body'>) => {
    for (const [key, value] of Object.entries(expected)) {
      // Spark 3 also names the charset.
      const actual = String(request?.[key as keyof CapturedRequest]).replace(/; charset=utf-8$/, '');
      if (actual !== value) throw new Error(`spark-submit sent ${key} ${actual} where ${value} was expected`);
    }
  };
  expect(first, { method: 'POST', url: url('Pod'), contentType: 'application/json' });
  for (const request of others) {
    const { kind, metadata } = request.body;
    expect(request, { method: 'PATCH', url: `${url(kind)}/${metadata.name}?fieldManager=fabric8&force=true`, contentType: 'application/apply-patch+yaml' });
  }
  return { pod: first!.body, resources: others.map(({ body }) => body) };
}

/** Returns the objects of native submission, as sent over the wire. */
export function submittedNatively({ driver, resources }: { readonly driver: object; readonly resources: readonly object[] }): Submitted {
  return JSON.parse(JSON.stringify({ pod: driver, resources }));
}
