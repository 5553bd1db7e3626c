/*
 * Fixtures of the objects that kubeflow's operator leaves in a cluster: the operator's code
 * interprets them correctly.
 */
import { isSparkApplication, sparkApplicationViolations } from '../../../../src/sparkctl/manifests/check';
import { schemaOfKind } from '../../../../src/rules/schemas';
import { SPARK_APPLICATION } from '../../../../src/api/spark-application';
import { violations } from '../../../../src/rules/validate';
import { kubeflowFixtures } from '../../../helpers/kubeflow-fixtures';

const fixtures = kubeflowFixtures();
const schema = schemaOfKind(SPARK_APPLICATION);

test('each situation of the README has a fixture', () => {
  expect(fixtures.map(({ situation }) => situation)).toEqual([
    'completed',
    'failing',
    'leases',
    'new-with-driver',
    'pending-rerun',
    'running-exposed',
    'running-without-webhook',
    'running',
    'submission-failed',
    'suspended',
  ]);
});

test.each(fixtures.filter(({ application }) => application))('$situation: the CRD accepts specification and status', ({ application }) => {
  expect(isSparkApplication(application)).toBe(true);
  expect(sparkApplicationViolations(application)).toEqual([]);
  expect(violations(schema.properties!.status!, application.status ?? undefined, 'status')).toEqual([]);
});

test.each(fixtures)('$situation: owners and labels match', ({ objects, application, driver }) => {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  expect(uids.size).toBe(objects.length);
  for (const { metadata } of objects) {
    for (const { uid } of metadata.ownerReferences ?? []) expect(uids).toContain(uid);
    expect((metadata.ownerReferences ?? []).filter(({ controller }: any) => controller).length).toBeLessThanOrEqual(1);
  }
  if (driver) expect(driver.metadata.labels['sparkoperator.k8s.io/app-name']).toBe(application.metadata.name);
});
