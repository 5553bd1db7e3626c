import type { GivenProps } from './options';
import type { KubeObject } from '../../kube/objects';

/** Objects of an installation. */
export interface Synthesized {
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Key of the installation among all of the cluster; see `installationKey`. */
  readonly installation: string;
  /** The CRDs; none if the properties leave them out. */
  readonly crds: readonly KubeObject[];
  /** All else, in the order in which it is created. */
  readonly objects: readonly KubeObject[];
  /**
   * Returns the program with `SparkOperator` that synthesizes the same from the values file.
   *
   * @param comment its first lines
   */
  readonly program?: (comment: readonly string[]) => string;
}

/** File with props of `SparkOperator`. */
export interface ValuesFile {
  /** Path, for messages. */
  readonly name: string;
  readonly content: string;
}

/** Values of props of `SparkOperator`. */
export interface InstallRequest {
  /** By options, which count more than the file. */
  readonly given: GivenProps;
  /** By a file of values. @default - there is none */
  readonly file?: ValuesFile;
}

/**
 * Synthesizes the construct `SparkOperator`.
 *
 * @param crds those that ship with the package
 * @throws {UsageError} with the construct's reasons against invalid properties
 */
export type SynthesizeOperator = (request: InstallRequest, crds: readonly KubeObject[]) => Promise<Synthesized>;
