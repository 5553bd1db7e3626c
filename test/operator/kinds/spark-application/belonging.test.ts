import { belongingOf } from '../../../../src/operator/kinds/spark-application/belonging';
import type { SparkApplication } from '../../../../src/model/spark-application';

const application = {
  metadata: { name: 'pi', namespace: 'jobs', uid: 'now' }, status: { submissionID: 's1', driverInfo: {} },
} as unknown as SparkApplication;
const LABELS = { 'sparkoperator.k8s.io/submission-id': 's1' };
const owner = (uid: string, more: object = {}) => (
  [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid, controller: true, ...more }]
);

test.each([
  ['of this submission', { labels: LABELS, ownerReferences: owner('now') }, 'ours'],
  ['of this submission, in deletion', { labels: LABELS, ownerReferences: owner('now'), deletionTimestamp: '2026-03-01T10:00:00Z' }, 'ours'],
  ['of another submission of this application', { labels: {}, ownerReferences: owner('now') }, 'earlier'],
  ["of this submission without an owner, as kubeflow's operator makes it without its webhook", {
    labels: { ...LABELS, 'sparkoperator.k8s.io/app-name': 'pi' },
  }, 'ours'],
  ['of a deleted application of this name', { labels: LABELS, ownerReferences: owner('before') }, 'leaving'],
  ['of another application', { labels: LABELS, ownerReferences: owner('before', { name: 'other' }) }, 'foreign'],
  ['of a job of this name', { labels: {}, ownerReferences: owner('before', { kind: 'Job' }) }, 'foreign'],
  ['without an owner', {}, 'foreign'],
  ["without an owner, with this submission's id and another application's name", {
    labels: { ...LABELS, 'sparkoperator.k8s.io/app-name': 'other' },
  }, 'foreign'],
  ['without an owner, in deletion', { deletionTimestamp: '2026-03-01T10:00:00Z' }, 'leaving'],
])('an object %s', (_, metadata, belonging) => {
  expect(belongingOf({ metadata: { name: 'pi-driver', namespace: 'jobs', ...metadata } }, application)).toBe(belonging);
});
