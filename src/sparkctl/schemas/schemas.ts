import type { PodTemplateSchema } from '../../rules/pod-template';
import type { Schema } from '../../rules/schema';

/** What manifests are checked against. */
export interface Schemas {
  /** The whole object, as the API server sees it: `openAPIV3Schema` of the CRD. */
  readonly sparkApplication: Schema;
  /** Pod templates, which the CRD leaves open. */
  readonly podTemplate: PodTemplateSchema;
}

/** Loads them when they are needed. */
export type LoadSchemas = () => Promise<Schemas>;

/** The part of a CRD that is used. */
export interface CustomResourceDefinition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

/** The schema of the newest version, which is the first one. */
export function schemaOf(crd: CustomResourceDefinition): Schema {
  return crd.spec.versions[0]!.schema.openAPIV3Schema;
}
