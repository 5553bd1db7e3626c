import * as fc from 'fast-check';
import { ByName } from '../../src/kube/by-name';
import { keyOf, type KubeObject } from '../../src/kube/objects';

const refs = fc.record({ namespace: fc.constantFrom(undefined, 'a', 'b'), name: fc.constantFrom('x', 'y', 'z') });
const steps = fc.array(fc.record({ isPut: fc.boolean(), ref: refs }), { maxLength: 40 });

test('maps keys to objects, with the objects of a namespace together', () => {
  fc.assert(fc.property(steps, (all) => {
    const [objects, model] = [new ByName<KubeObject>(), new Map<string, KubeObject>()];
    for (const { isPut, ref } of all) {
      if (isPut) {
        const object = { metadata: ref };
        objects.set(object);
        model.set(keyOf(ref), object);
      } else {
        objects.delete(ref);
        model.delete(keyOf(ref));
      }
      expect(objects.get(ref)).toBe(model.get(keyOf(ref)));
      expect(objects.get(keyOf(ref))).toBe(model.get(keyOf(ref)));
    }
    expect(objects.size).toBe(model.size);
    for (const namespace of ['', 'a', 'b']) {
      const own = (some: Iterable<KubeObject>) => [...some].filter(({ metadata }) => (metadata.namespace ?? '') === namespace);
      expect(own(objects.list())).toEqual(own(model.values()));
    }
    expect([...objects]).toEqual(objects.list());
    const namespaces = objects.list().map(({ metadata: { namespace } }) => namespace);
    expect(namespaces.filter((namespace, index) => index === 0 || namespace !== namespaces[index - 1])).toHaveLength(new Set(namespaces).size);
  }));
});

test('objects can be removed during the iteration', () => {
  const objects = new ByName<KubeObject>();
  for (const namespace of ['a', 'b']) for (const name of ['x', 'y']) objects.set({ metadata: { namespace, name } });
  for (const { metadata } of objects) objects.delete(metadata);
  expect([objects.size, objects.list()]).toEqual([0, []]);
});
