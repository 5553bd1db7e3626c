import type { ConfigMap } from '../../../src/model/kubernetes-objects';
import type { BuiltSubmission } from '../../../src/plan/native/build';
import { withOneConfigMap } from '../../../src/plan/native/one-config-map';
import { buildOf } from './driver';

const NAME = 'spark-drv-1-conf-map';
const TEMPLATE = '{"metadata":{"labels":{"tier":"batch"}}}';

const configMapsOf = ({ resources }: BuiltSubmission) => resources.filter((resource): resource is ConfigMap => resource.kind === 'ConfigMap');
const sourceOf = ({ driver }: BuiltSubmission, volume: string) => driver.spec.volumes!.find(({ name }) => name === volume)!.configMap!;

test("the executors' template is in the ConfigMap with the properties, and the driver finds both at Spark's paths", () => {
  const built = buildOf({}, { executorTemplate: TEMPLATE });
  const one = withOneConfigMap(built, NAME);

  expect(configMapsOf(built)).toHaveLength(2);
  expect(configMapsOf(one)).toEqual([
    { ...configMapsOf(built)[1], data: { ...configMapsOf(built)[1]!.data, 'podspec-configmap-key': TEMPLATE } },
  ]);
  expect(sourceOf(one, 'pod-template-volume')).toEqual({ name: NAME, items: [{ key: 'podspec-configmap-key', path: 'pod-spec-template.yml' }] });
  expect(sourceOf(one, 'spark-conf-volume-driver')).toEqual(sourceOf(built, 'spark-conf-volume-driver'));
  expect(one.resources.map(({ kind }) => kind)).toEqual(['Service', 'ConfigMap']);
  expect(one.driver.spec.containers).toEqual(built.driver.spec.containers);
});

test('without a template, nothing changes', () => {
  const built = buildOf();
  expect(withOneConfigMap(built, NAME)).toBe(built);
});

test('two ConfigMaps stay if one would exceed the size of a ConfigMap', () => {
  const half = 'x'.repeat(512 * 1024);
  const [fits, exceeds] = ['x'.repeat(500 * 1024), half].map((template) => buildOf({ 'spark.a': half }, { executorTemplate: template }));

  expect(configMapsOf(withOneConfigMap(fits!, NAME))).toHaveLength(1);
  expect(withOneConfigMap(exceeds!, NAME)).toBe(exceeds);
});
