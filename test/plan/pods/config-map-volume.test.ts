import fc from 'fast-check';
import { configMapVolumeName } from '../../../src/plan/pods/config-map-volume';

test.each([
  ['spark-config', 'spark-config-vol'],
  ['a'.repeat(59), `${'a'.repeat(59)}-vol`],
  // The digits are the start of the name's SHA-256.
  ['app.yaml', 'app-yaml-0b16fea8-vol'],
  ['a'.repeat(60), `${'a'.repeat(50)}-11ee3912-vol`],
])('the ConfigMap %s becomes the volume %s', (name, volume) => {
  expect(configMapVolumeName(name)).toBe(volume);
});

test('every name of a ConfigMap gives a valid, unique name of a volume', () => {
  const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$/);
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map(labels => labels.join('.'));
  fc.assert(fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 4 }), (names) => {
    const volumes = names.map(configMapVolumeName);
    expect(new Set(volumes).size).toBe(names.length);
    for (const volume of volumes) {
      expect(volume).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
    }
  }));
});
