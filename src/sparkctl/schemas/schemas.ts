import type { PodTemplateSchema } from '../../rules/pod-template';
import type { Schema } from '../../rules/schema';

/** Schemas that manifests are checked against. */
export interface Schemas {
  /** Schema of the whole object: `openAPIV3Schema` of the CRD. */
  readonly sparkApplication: Schema;
  /** Schema of pod templates, which the CRD does not check. */
  readonly podTemplate: PodTemplateSchema;
}

/** Loads the schemas on demand. */
export type LoadSchemas = () => Promise<Schemas>;

/** Part of a CRD that is read here. */
export interface CustomResourceDefinition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

/** Returns the schema of the newest version, which is the first one. */
export function schemaOf(crd: CustomResourceDefinition): Schema {
  return crd.spec.versions[0]!.schema.openAPIV3Schema;
}
