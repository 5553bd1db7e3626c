import { schemaOf, type Schemas } from './schemas';
import { podTemplateSchema } from '../../rules/schemas';

/**
 * Loads the schemas of the bundle. The bundler (tools/build/bundle.ts) derives them from the CRDs
 * of the package: parsing that YAML takes longer than all other work.
 */
export async function loadSchemas(): Promise<Schemas> {
  const crd = await import('../../../crds/sparkoperator.k8s.io_sparkapplications.yaml');
  return { sparkApplication: schemaOf(crd.default), podTemplate: podTemplateSchema() };
}
