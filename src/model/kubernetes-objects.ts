/**
 * Kubernetes objects that the operator creates, as JSON of the API. The fields of pods are
 * generated from Kubernetes' definitions (src/k8s). The other kinds only have the fields that the
 * operator writes.
 */

import type { Container, IngressTls, LabelSelector, PersistentVolumeClaimSpec, PodSpec } from '../k8s';
import type { ObjectMeta } from '../kube/objects';

export type { Container, EnvVar, LabelSelector, PodSpec, ResourceRequirements, Volume, VolumeMount } from '../k8s';

/** Map of strings, such as labels, annotations and selectors. */
export interface StringMap {
  readonly [key: string]: string;
}

/** A pod. */
export interface Pod {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: ObjectMeta;
  /** A template can have no containers, but a pod must. */
  readonly spec: PodSpec & { readonly containers: Container[] };
}

/** A port of a Service. */
export interface ServicePort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: number;
  readonly appProtocol?: string;
}

/** A Service. */
export interface Service {
  readonly apiVersion: 'v1';
  readonly kind: 'Service';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly ipFamilyPolicy?: string;
    readonly ipFamilies?: readonly string[];
    readonly publishNotReadyAddresses?: boolean;
    readonly selector: StringMap;
    readonly ports: readonly ServicePort[];
  };
}

/** A NetworkPolicy. */
export interface NetworkPolicy {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'NetworkPolicy';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly podSelector: LabelSelector;
    readonly ingress: readonly { readonly from: readonly { readonly podSelector: LabelSelector }[] }[];
  };
}

/** A PersistentVolumeClaim. */
export interface PersistentVolumeClaim {
  readonly apiVersion: 'v1';
  readonly kind: 'PersistentVolumeClaim';
  readonly metadata: ObjectMeta;
  readonly spec: PersistentVolumeClaimSpec;
}

/** A ConfigMap. */
export interface ConfigMap {
  readonly apiVersion: 'v1';
  readonly kind: 'ConfigMap';
  readonly metadata: ObjectMeta;
  readonly data: StringMap;
  readonly immutable?: boolean;
}

/** A Secret. */
export interface Secret {
  readonly apiVersion?: 'v1';
  readonly kind?: 'Secret';
  readonly metadata: ObjectMeta;
  /** In base64. */
  readonly data?: StringMap;
}

/**
 * A MutatingWebhookConfiguration or a ValidatingWebhookConfiguration, with the fields that the
 * operator reads.
 */
export interface WebhookConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly {
    readonly name: string;
    /** `caBundle`: certificates in PEM, in base64. */
    readonly clientConfig: { readonly caBundle?: string };
  }[];
}

/** An Ingress. */
export interface Ingress {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'Ingress';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly ingressClassName?: string;
    readonly tls?: readonly IngressTls[];
    readonly rules: readonly {
      readonly host?: string;
      readonly http: {
        readonly paths: readonly {
          readonly path: string;
          readonly pathType: 'ImplementationSpecific' | 'Prefix';
          readonly backend: { readonly service: { readonly name: string; readonly port: { readonly number: number } } };
        }[];
      };
    }[];
  };
}

/**
 * The Gateway, or a listener of it, to which an HTTPRoute is attached (ParentReference of the
 * Gateway API).
 */
export interface ParentReference {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly sectionName?: string;
  readonly port?: number;
}

/** An HTTPRoute. */
export interface HttpRoute {
  readonly apiVersion: 'gateway.networking.k8s.io/v1';
  readonly kind: 'HTTPRoute';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly parentRefs: readonly ParentReference[];
    readonly hostnames?: readonly string[];
    readonly rules: readonly {
      readonly matches: readonly { readonly path: { readonly type: 'PathPrefix'; readonly value: string } }[];
      readonly filters?: readonly {
        readonly type: 'URLRewrite';
        readonly urlRewrite: { readonly path: { readonly type: 'ReplacePrefixMatch'; readonly replacePrefixMatch: string } };
      }[];
      readonly backendRefs: readonly { readonly name: string; readonly port: number }[];
    }[];
  };
}

/** A PodDisruptionBudget. */
export interface PodDisruptionBudget {
  readonly apiVersion: 'policy/v1';
  readonly kind: 'PodDisruptionBudget';
  readonly metadata: ObjectMeta;
  readonly spec: { readonly minAvailable: number; readonly selector: LabelSelector };
}

/**
 * A PodGroup of Volcano or of the coscheduling plugin, with the fields that the operator writes.
 */
export interface PodGroup {
  readonly apiVersion: 'scheduling.volcano.sh/v1beta1' | 'scheduling.x-k8s.io/v1alpha1';
  readonly kind: 'PodGroup';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly minMember: number;
    readonly minResources?: StringMap;
    readonly queue?: string;
    readonly priorityClassName?: string;
  };
}
