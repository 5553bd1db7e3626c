import fc from 'fast-check';
import { parseSparkVersion, sparkVersionLabel } from '../../src/plan/versions';

const featuresOf = (text: string) => parseSparkVersion(text).features;

test.each([
  ['3.5.8', '3.5.0'],
  ['3.5.1.0', '3.5.0'],
  ['4.1', '4.1.1'],
  ['4.1.1-amzn-0', '4.1.1'],
  ['4.1.1_2.13', '4.1.1'],
  ['4.2.0-preview3', '4.2.0'],
])('%j does what %s does, without a warning', (text, other) => {
  expect(parseSparkVersion(text)).toEqual({ text, features: featuresOf(other) });
});

test.each([['v4.0.2', '4.0.2'], [' 4.1.1 ', '4.1.1']])('%j does what %s does, and is reported', (text, other) => {
  expect(parseSparkVersion(text)).toEqual({
    text, features: featuresOf(other), severity: 'ineffective', warning: `is ${JSON.stringify(text)}, not how Spark writes its version; write ${other}`,
  });
});

test.each<[string, 'ineffective' | undefined]>([
  ['3.4.1', undefined], ['3.0.0', undefined], ['2.4.8', 'ineffective'], ['0.9', 'ineffective'],
])('%s, which is older than all known versions, does what 3.5 does', (text, severity) => {
  expect(parseSparkVersion(text)).toEqual({
    text, features: featuresOf('3.5.8'), severity, warning: `is "${text}", older than all known versions: the driver is created as by Spark 3.5`,
  });
});

test.each(['4.4.0', '4.10.0', '5.0.0', '10.0.0'])('%s, which is still unknown, has the features of the newest known version', text => {
  expect(parseSparkVersion(text)).toEqual({
    text, features: featuresOf('4.3.0'), warning: `is "${text}", newer than all known versions: the driver is created as by Spark 4.3`,
  });
});

test.each(['', 'latest', '4', 'v3', '04..1', 'spark-4.1.1', '4.x', '4.'])('%j, which is no version, does what the newest known version does', text => {
  expect(parseSparkVersion(text)).toEqual({
    text,
    features: featuresOf('4.3.0'),
    severity: 'ineffective',
    warning: `is ${JSON.stringify(text)}, not a version of Spark: the driver is created as by Spark 4.3; write the version in the image, such as 4.1.1`,
  });
});

test('each feature has its first version', () => {
  const versions = ['3.5.8', '4.0.2', '4.1.1', '4.2.1', '4.3.0'];
  const added = versions.map((version, index) => [version, Object.entries(featuresOf(version))
    .filter(([feature, has]) => has && !(index > 0 && featuresOf(versions[index - 1]!)[feature as 'connectPort']))
    .map(([feature]) => feature)]);

  expect(Object.fromEntries(added)).toEqual({
    '3.5.8': [],
    '4.0.2': ['idsInLabels', 'minMemoryOverhead', 'subPathExpr', 'hostPathType', 'claimLabels', 'volumeSizeCheck', 'readWriteOncePod'],
    '4.1.1': ['connectPort', 'versionInImage', 'excludedFeatureSteps', 'anyPythonVersion'],
    '4.2.1': ['connectAppProtocol', 'networkPolicy', 'binaryUnits'],
    '4.3.0': ['allowPrivilegeEscalation', 'publishNotReadyAddresses', 'wholeProxyUser'],
  });
});

test.each([
  ['4.1.1', '4.1.1'], ['4.1.1-amzn-0', '4.1.1-amzn-0'], ['4.1.1+build', '4.1.1-build'], ['latest', 'latest'], ['', ''], [' 4.1 ', '4.1'], ['…', ''],
  [`4.1-${'x'.repeat(99)}`, `4.1-${'x'.repeat(59)}`],
])('%j is labelled %j', (text, label) => {
  expect(sparkVersionLabel(parseSparkVersion(text))).toBe(label);
});

test('whatever is written, nothing is refused, and the label is valid', () => {
  fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'0123456789.-_v x'), maxLength: 90 })), text => {
    const version = parseSparkVersion(text);
    expect(version.text).toBe(text);
    expect(sparkVersionLabel(version)).toMatch(/^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/);
  }), { numRuns: 500 });
});
