import { ApiObject, ApiObjectMetadata, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { rejectProps } from '../props/_check';
import { apiVersionOf, maxNameReasonOf, type KindDefinition } from '../api/kind';
import { metadataViolations, type Metadata } from '../rules/metadata';
import type { Problem } from '../model/problem';

/**
 * Custom resource of one of the package's kinds. It is checked when it is created, unless its
 * specification is lazy, and again at synthesis, after all patches.
 *
 * @internal
 */
export abstract class CheckedResource extends ApiObject {
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
    const isLazy = spec instanceof Lazy;
    super(scope, id, { apiVersion: apiVersionOf(definition), kind: definition.kind, metadata, spec: isLazy ? spec : normalize(spec) });
    if (!isLazy) this._reject({ ...metadata, namespace: this.metadata.namespace }, spec);
  }

  /**
   * Returns the manifest.
   * @freeForm
   */
  public override toJson(): any {
    const json = super.toJson();
    this._reject(json.metadata, json.spec);
    return json;
  }

  /**
   * Returns the problems of the resource, with the user's names of props.
   * @internal
   */
  protected _violations(metadata: Metadata, spec: any): Problem[] {
    const { maxNameLength = 253 } = this.definition;
    // A patch might change the name.
    const { name = this.name } = metadata as Metadata & { readonly name?: string };
    const ofSpec = typeof spec === 'object' && spec !== null ? this._specViolations(metadata, spec) : [
      { path: 'spec', value: spec ?? undefined, reason: spec ? 'must be an object' : 'is required' },
    ];
    return [...metadataViolations(name, metadata, { length: maxNameLength, reason: maxNameReasonOf(this.definition) }), ...ofSpec];
  }

  /**
   * Returns the problems of the specification.
   * @internal
   */
  protected abstract _specViolations(metadata: Metadata, spec: any): Problem[];

  /**
   * Returns the construct that the user created.
   * @internal
   */
  protected _path(): string {
    return this.node.path;
  }

  private _reject(metadata: Metadata, spec: unknown): void {
    rejectProps(this.kind, this._path(), this._violations(metadata, spec));
  }
}
