import { uploadPlace } from '../../../src/sparkctl/upload/place';

test.each([
  ['s3://jobs', { kind: 's3', bucket: 'jobs', prefix: '' }],
  ['s3a://jobs.example.org/etl//nightly/', { kind: 's3', bucket: 'jobs.example.org', prefix: 'etl/nightly' }],
  ['gs://my_jobs/etl/', { kind: 'gcs', bucket: 'my_jobs', prefix: 'etl' }],
  ['pvc://programs', { kind: 'volume', claim: 'programs', folder: '' }],
  ['pvc://programs/etl/', { kind: 'volume', claim: 'programs', folder: 'etl' }],
])('%s', (text, place) => {
  expect(uploadPlace(text)).toEqual(place);
});

test.each([
  ['gsa://jobs', 'write s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or pvc://CLAIM/FOLDER'],
  ['jobs', 'write s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or pvc://CLAIM/FOLDER'],
  ['gs://', 'it names no bucket'],
  ['s3://', 'it names no bucket'],
  ['s3://Jobs', 'this is not a valid name of a bucket'],
  ['pvc:///etl', 'it names no PersistentVolumeClaim'],
  ['pvc://programs/../etc', 'the path must not contain segments such as ..'],
])('rejects %s: %s', (text, message) => {
  expect(() => uploadPlace(text)).toThrow(`--upload-to=${text}: ${message}`);
});
