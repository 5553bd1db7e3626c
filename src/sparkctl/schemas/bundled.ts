import { schemaOf, type Schemas } from './schemas';
import type { PodTemplateSchema } from '../../rules/pod-template';

/**
 * Loads the schemas of the bundle. The bundler (tools/build/bundle.ts) derives them from the CRDs
 * of the package: parsing that YAML takes longer than all other work.
 */
export async function loadSchemas(): Promise<Schemas> {
  const [crd, podTemplate] = await Promise.all([
    import('../../../crds/sparkoperator.k8s.io_sparkapplications.yaml'),
    import('../../../schemas/pod-template.json'),
  ]);
  return { sparkApplication: schemaOf(crd.default), podTemplate: podTemplate.default as unknown as PodTemplateSchema };
}
