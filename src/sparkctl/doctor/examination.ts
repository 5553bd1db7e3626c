import type { CustomResourceDefinition } from '../setup/objects';
import type { KubeClient } from '../../kube/client';

/** The part of the client that an examination calls. */
export type DoctorClient = Pick<KubeClient, 'get' | 'listPage' | 'list' | 'create' | 'request'>;

/** Where, and with what, it is looked. */
export interface Examination {
  readonly client: DoctorClient;
  /** URL of the API server. */
  readonly server: string;
  /** The namespaces of applications that are examined; undefined: those of the operator's flags, and if it names none, `current`. */
  readonly namespaces?: readonly string[] | 'all';
  /** The namespace that is meant when none is named. */
  readonly current: string;
  /** Where the operator is. @default - wherever there is one */
  readonly operatorNamespace?: string;
  /** Of this program. */
  readonly version: string;
  /** The CRDs of this version. */
  readonly crds: readonly CustomResourceDefinition[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}
