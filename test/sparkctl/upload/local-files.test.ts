import { localFilesOf, rewritten } from '../../../src/sparkctl/upload/local-files';

test('local files have no scheme or file:', () => {
  const spec = {
    mainApplicationFile: 'jobs/etl.py',
    deps: {
      jars: ['https://example.org/a.jar', 'file:///opt/b%20c.jar', 'local:///opt/c.jar', 's3a://jobs/d.jar'], files: ['my file.txt'], pyFiles: ['file:lib.zip'], archives: ['words.zip#dictionary'],
      packages: ['org.example:a:1'], repositories: ['/not/looked/at'],
    },
  };
  expect(localFilesOf(spec)).toEqual([
    { field: 'spec.mainApplicationFile', path: 'jobs/etl.py', fragment: '' },
    { field: 'spec.deps.jars[1]', path: '/opt/b c.jar', fragment: '' },
    { field: 'spec.deps.files[0]', path: 'my file.txt', fragment: '' },
    { field: 'spec.deps.pyFiles[0]', path: 'lib.zip', fragment: '' },
    { field: 'spec.deps.archives[0]', path: 'words.zip', fragment: '#dictionary' },
  ]);
  expect(rewritten(spec, new Map([['spec.mainApplicationFile', 's3a://b/etl.py'], ['spec.deps.jars[1]', 's3a://b/b%20c.jar']]))).toEqual({
    ...spec, mainApplicationFile: 's3a://b/etl.py', deps: { ...spec.deps, jars: ['https://example.org/a.jar', 's3a://b/b%20c.jar', 'local:///opt/c.jar', 's3a://jobs/d.jar'] },
  });
});

test('values other than strings are not files', () => {
  expect(localFilesOf({ mainApplicationFile: 7, deps: null })).toEqual([]);
  expect(localFilesOf({ mainApplicationFile: 'spark-internal', deps: { jars: 'a.jar', files: [1, null, ''] } })).toEqual([]);
});

test.each(['jobs/*.jar', 'a[1].jar', 'a{b}.jar', 'a\nb.jar'])('rejects %j, which Spark would interpret as a pattern or reject', (name) => {
  expect(() => localFilesOf({ deps: { jars: [name] } })).toThrow(/^spec\.deps\.jars\[0\] .* cannot be uploaded: .*; rename the file without/);
});
