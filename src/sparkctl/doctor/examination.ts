import type { CustomResourceDefinition } from '../setup/objects';
import type { KubeClient } from '../../kube/client';

/** Methods of the client that the examination needs. */
export type DoctorClient = Pick<KubeClient, 'get' | 'bytes' | 'listPage' | 'list' | 'create' | 'request'>;

/** Scope and dependencies of an examination. */
export interface Examination {
  readonly client: DoctorClient;
  /** URL of the API server. */
  readonly server: string;
  /**
   * Namespaces of the applications to check.
   *
   * @default - those of the operator's flags; if it names none, `current`
   */
  readonly namespaces?: readonly string[] | 'all';
  /** Default namespace of the command line. */
  readonly current: string;
  /** Namespace of the operator. @default - all namespaces are searched */
  readonly operatorNamespace?: string;
  /** Version of this program. */
  readonly version: string;
  /** The CRDs of this version. */
  readonly crds: readonly CustomResourceDefinition[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}
