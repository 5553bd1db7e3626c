import { parseSparkVersion } from '../../../src/operator/submission/versions';

test.each([
  ['3.4', 3, 4],
  ['3.5.8', 3, 5],
  ['4.1', 4, 1],
  ['4.1.1', 4, 1],
  ['4.1.1-amzn-0', 4, 1],
  ['3.5.1.0', 3, 5],
  ['4.2.0-preview3', 4, 2],
])('%s is %d.%d', (text, major, minor) => {
  expect(parseSparkVersion(text)).toMatchObject({ text, major, minor });
});

test.each(['', 'latest', '4', 'v4.1.1', '4.1.1-', '4.1.1 ', '4.1.1_x', '04..1', `4.1.1-${'x'.repeat(63)}`])('%j is no version', text => {
  expect(() => parseSparkVersion(text)).toThrow(/is not a version of Spark; write the version in the image, such as 4\.1\.1$/);
});

test.each(['3.3.4', '2.4.8', '0.9'])('%s is too old', text => {
  expect(() => parseSparkVersion(text)).toThrow(/is older than 3\.4/);
});

test('each feature has its first version', () => {
  const versions = ['3.4.0', '3.5.8', '4.0.2', '4.1.1', '4.2.0', '4.3.0'];
  const firstWith = (feature: string) => versions.find(text => parseSparkVersion(text).features[feature as 'connectPort']);

  expect(Object.fromEntries(Object.keys(parseSparkVersion('4.3.0').features).map(feature => [feature, firstWith(feature)]))).toEqual({
    idsInLabels: '4.0.2',
    minMemoryOverhead: '4.0.2',
    connectPort: '4.1.1',
    versionInImage: '4.1.1',
    connectAppProtocol: '4.2.0',
    allowPrivilegeEscalation: '4.3.0',
    publishNotReadyAddresses: '4.3.0',
  });
});

test.each(['4.9.0', '5.0.0', '10.0.0'])('%s, which nobody has seen yet, does what the newest known version does', text => {
  expect(parseSparkVersion(text).features).toEqual(parseSparkVersion('4.3.0').features);
});
