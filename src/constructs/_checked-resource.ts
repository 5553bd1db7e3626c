import { ApiObject, ApiObjectMetadata, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { constructsOf, replacedBy } from './_app';
import { reportAtSynth } from './_report';
import { withoutRepetitions } from '../props/_prop-types';
import { wrongNamespace } from './_job-namespace';
import { SparkOperator } from './spark-operator';
import { SparkWorkload } from './spark-workload';
import { KnownNamespace } from '../props/job-namespace';
import { apiVersionOf, maxNameReasonOf, type KindDefinition } from '../api/kind';
import { metadataViolations, type Metadata } from '../rules/metadata';
import type { Problem } from '../model/problem';

/**
 * Custom resource of one of the package's kinds. It is checked at synthesis, after all patches.
 *
 * @internal
 */
export abstract class CheckedResource extends ApiObject {
  private readonly hasOwnName: boolean;
  /** The construct that the user created, if it is not this one. */
  private readonly workload?: SparkWorkload;
  /** The manifest that was checked last, as JSON, with its namespace, and the problems. */
  private checked?: { readonly json: string; readonly known: KnownNamespace | undefined; readonly problems: readonly Problem[] };

  /**
   * @param kind the kind
   * @param metadata the user's metadata
   * @param spec the user's specification, or a function that returns it later
   * @param normalize converts the specification to the form that Kubernetes requires
   */
  constructor(
    scope: Construct, id: string, private readonly definition: KindDefinition, metadata: ApiObjectMetadata | undefined, spec: any,
    normalize: (spec: any) => unknown,
  ) {
    const isPlain = isObject(spec) && !(spec instanceof Lazy);
    super(scope, id, { apiVersion: apiVersionOf(definition), kind: definition.kind, metadata, spec: isPlain ? normalize(spec) : spec });
    this.hasOwnName = metadata?.name !== undefined;
    this.workload = scope instanceof SparkWorkload ? scope : undefined;
    reportAtSynth(this.workload ?? this, () => this._problems(), () => this.workload?._props.strict === true);
  }

  /**
   * Returns the namespace of the user's construct, if it names one.
   * @internal
   */
  protected _known(): KnownNamespace | undefined {
    return this.workload?._props.jobNamespace?._known();
  }

  /**
   * Returns the problems of the rendered manifest.
   * @internal
   */
  public _problems(): readonly Problem[] {
    const manifest = this.toJson();
    const json = JSON.stringify(manifest);
    // cdk8s validates the whole app again for each chart.
    const known = this._known();
    if (this.checked?.json !== json || this.checked.known !== known) {
      this.checked = { json, known, problems: this._violations(manifest.metadata, manifest.spec) };
    }
    return [
      ...this.checked.problems, ...wrongNamespace(this.workload?._props ?? {}), ...this.secondOf(),
      ...this.withoutOperator(manifest.metadata.namespace),
    ];
  }

  /**
   * Returns the problems of the resource, with the user's names of props.
   * @internal
   */
  protected _violations(metadata: Metadata, spec: any): Problem[] {
    const { maxNameLength = 253 } = this.definition;
    // A patch might change the name.
    const { name = this.name } = metadata as Metadata & { readonly name?: string };
    const ofSpec = isObject(spec) ? this._specViolations(metadata, spec) : [
      { path: 'spec', value: spec ?? undefined, reason: spec ? 'must be an object' : 'is required' },
    ];
    const ofMetadata = metadataViolations(name, metadata, { length: maxNameLength, reason: maxNameReasonOf(this.definition) });
    return withoutRepetitions(ofMetadata, ofSpec).map((problem) => this.withOriginOfName(problem));
  }

  /**
   * Returns the problems of the specification.
   * @internal
   */
  protected abstract _specViolations(metadata: Metadata, spec: any): Problem[];

  private secondOf(): Problem[] {
    const first = replacedBy(this);
    return first === undefined ? [] : [{
      path: 'metadata.name', value: this.metadata.name, reason: `is the name of the ${this.kind} at ${first.node.path}, which it would replace`,
      remedy: 'choose another name',
    }];
  }

  /** Only the operator of an app lists the namespaces. */
  private withoutOperator(namespace: string | undefined): Problem[] {
    const operators = constructsOf(this, SparkOperator);
    if (namespace === undefined || operators.length === 0 || operators.some((operator) => operator._mayWatch(namespace))) return [];
    return [{
      path: 'metadata.namespace', value: namespace, reason: 'is watched by no operator of this app', severity: 'warning',
      remedy: 'add it to jobNamespaces of a SparkOperator, or pass one to its SparkJobNamespace',
    }];
  }

  /** A user does not know the name that cdk8s makes from the path of a construct. */
  private withOriginOfName(problem: Problem): Problem {
    return problem.path !== 'metadata.name' || this.hasOwnName ? problem : {
      ...problem, remedy: 'cdk8s derived it from the path of the construct: set metadata.name',
    };
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
