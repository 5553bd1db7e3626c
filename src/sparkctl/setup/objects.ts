import type { KubeObject } from '../../kube/objects';

/** Condition of an object's status. */
export interface ObjectCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** CustomResourceDefinition; only the fields that are read. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly schema?: { readonly openAPIV3Schema?: object };
    }[];
  };
  readonly status?: { readonly conditions?: readonly ObjectCondition[] };
}

/** Container of a pod template; only the fields that are read. */
export interface TemplateContainer {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
}

/** Deployment; only the fields that are read. */
export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template: {
      readonly spec: {
        readonly serviceAccountName?: string;
        readonly containers: readonly TemplateContainer[];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly ObjectCondition[];
  };
}
