/**
 * The Kubernetes objects that the operator builds, in the shape in which the API server takes them (JSON). What pods are made
 * of is generated from Kubernetes' own definitions (src/k8s); of the other kinds only the fields that are built are here.
 */

import type { LabelSelector, PersistentVolumeClaimSpec, PodSpec } from '../k8s';
import type { ObjectMeta } from './kube/objects';

export type { Container, EnvVar, LabelSelector, PodSpec, ResourceRequirements, Volume, VolumeMount } from '../k8s';

/** String to string, as labels, annotations and selectors are. */
export interface StringMap {
  readonly [key: string]: string;
}

/** A pod. */
export interface Pod {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
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
    readonly clusterIP?: string;
    readonly ipFamilyPolicy?: string;
    readonly ipFamilies?: readonly string[];
    readonly publishNotReadyAddresses?: boolean;
    readonly selector: StringMap;
    readonly ports: readonly ServicePort[];
  };
}

/** Who may connect to some pods. */
export interface NetworkPolicy {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'NetworkPolicy';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly podSelector: LabelSelector;
    readonly ingress: readonly { readonly from: readonly { readonly podSelector: LabelSelector }[] }[];
  };
}

/** A demand for storage. */
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
