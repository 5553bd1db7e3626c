import { ApiObject, ApiObjectMetadata, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseProps } from '../props/_check';
import { apiVersionOf, maxNameReasonOf, type KindDefinition } from '../api/kind';
import { metadataViolations, type Metadata } from '../rules/metadata';
import type { Violation } from '../model/problem';

/**
 * A custom resource of this project's kinds that is checked when it is created, unless its specification is still to come, and as patches have made it when it is
 * synthesized.
 *
 * @internal
 */
export abstract class CheckedResource extends ApiObject {
  /**
   * @param kind the kind
   * @param metadata as the user has written it
   * @param spec as the user has written it, or what `lazily` makes
   * @param asWritten the specification as Kubernetes wants to have it
   */
  constructor(scope: Construct, id: string, private readonly definition: KindDefinition, metadata: ApiObjectMetadata | undefined, spec: any, asWritten: (spec: any) => unknown) {
    const isLazy = spec instanceof Lazy;
    super(scope, id, { apiVersion: apiVersionOf(definition), kind: definition.kind, metadata, spec: isLazy ? spec : asWritten(spec) });
    if (!isLazy) this._refuse({ ...metadata, namespace: this.metadata.namespace }, spec);
  }

  /**
   * The manifest.
   * @freeForm
   */
  public override toJson(): any {
    const json = super.toJson();
    this._refuse(json.metadata, json.spec);
    return json;
  }

  /**
   * What is wrong with the resource, in the words of those who wrote it.
   * @internal
   */
  protected _violations(metadata: Metadata, spec: any): Violation[] {
    const { maxNameLength = 253 } = this.definition;
    // A patch may change the name.
    const { name = this.name } = metadata as Metadata & { readonly name?: string };
    const ofSpec = typeof spec === 'object' && spec !== null ? this._specViolations(metadata, spec) : [{ path: 'spec', value: spec ?? undefined, reason: spec ? 'must be an object' : 'is required' }];
    return [...metadataViolations(name, metadata, { length: maxNameLength, reason: maxNameReasonOf(this.definition) }), ...ofSpec];
  }

  /**
   * What is wrong with the specification.
   * @internal
   */
  protected abstract _specViolations(metadata: Metadata, spec: any): Violation[];

  /**
   * The construct that the user made.
   * @internal
   */
  protected _path(): string {
    return this.node.path;
  }

  private _refuse(metadata: Metadata, spec: unknown): void {
    refuseProps(this.kind, this._path(), this._violations(metadata, spec));
  }
}
