import { join } from 'path';
import { Yaml } from 'cdk8s';
import type { KindDefinition } from '../api/kind';

/**
 * The part of OpenAPI v3 that our CRDs use.
 * @internal
 */
export interface Schema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly ['x-kubernetes-validations']?: readonly { readonly rule: string; readonly message: string }[];
}

/**
 * The file with the CRD of a kind, as shipped with the package.
 * @internal
 */
export function crdFile(kind: KindDefinition): string {
  return join(__dirname, '..', '..', 'crds', `${kind.group}_${kind.plural}.yaml`);
}

/**
 * The schema of a kind as the API server will use it.
 * @internal
 */
export function schemaOfKind(kind: KindDefinition): Schema {
  const cached = SCHEMAS.get(kind.kind);
  if (cached) return cached;
  const [crd] = Yaml.load(crdFile(kind));
  const schema: Schema = crd.spec.versions[0].schema.openAPIV3Schema;
  SCHEMAS.set(kind.kind, schema);
  return schema;
}

const SCHEMAS = new Map<string, Schema>();
