import { schemaOf, type Schemas } from './schemas';
import type { PodTemplateSchema } from '../../rules/pod-template';

/**
 * The schemas that are in the bundle. They are put there by its builder (tools/build/bundle.ts) from the CRDs that ship with the package:
 * to read that YAML would take longer than all the rest.
 */
export async function loadSchemas(): Promise<Schemas> {
  const [crd, podTemplate] = await Promise.all([
    import('../../../crds/sparkoperator.k8s.io_sparkapplications.yaml'),
    import('../../../schemas/pod-template.json'),
  ]);
  return { sparkApplication: schemaOf(crd.default), podTemplate: podTemplate.default as unknown as PodTemplateSchema };
}
