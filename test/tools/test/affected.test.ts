import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { affectedTests, changedSince, readDependencies, type Dependencies } from '../../../tools/test/affected.ts';

const root = join(__dirname, '../../..');
let dependencies: Dependencies;
beforeAll(async () => { dependencies = await readDependencies(root); }, 240_000);

test.each<[string, readonly string[], readonly string[]]>([
  // A source affects what imports it, what starts a program that has it, and what runs an image or the package.
  ['src/operator/admission/certificates/plan.ts', ['test/operator/admission/certificates/plan.test.ts', 'test/api/admission.test.ts', 'test/e2e/console.test.ts', 'test/packages/languages.test.ts'], ['test/kube/lru-map.test.ts', 'test/api/kubernetes-types.test.ts']],
  ['src/bin/sparkctl.ts', ['test/api/sparkctl.test.ts'], ['test/operator/admission/certificates/plan.test.ts']],
  ['test/helpers/browser.ts', ['test/api/console.test.ts', 'test/e2e/console.test.ts'], ['test/kube/lru-map.test.ts']],
  ['test/kube/lru-map.test.ts', ['test/kube/lru-map.test.ts', 'test/docs.test.ts'], ['test/kube/by-name.test.ts', 'test/api/admission.test.ts']],
  // Some tests scan files instead of importing them: any change affects them.
  ['src/kube/clock.ts', ['test/layout.test.ts', 'test/bounds.test.ts', 'test/docs.test.ts'], []],
  ['test/deleted.test.ts', ['test/known-failures.test.ts'], ['test/kube/lru-map.test.ts']],
  ['tools/languages/java.ts', ['test/docs.test.ts', 'test/packages/languages.test.ts'], ['test/kube/lru-map.test.ts']],
  ['docs/operate/install.md', ['test/docs.test.ts', 'test/api/site.test.ts'], ['test/api/admission.test.ts']],
  ['README.md', ['test/readme.test.ts', 'test/api/readme.test.ts'], ['test/api/admission.test.ts']],
  // The client's bundle is tested as it is compiled.
  ['src/client/wait.ts', ['test/client/bundle.test.ts'], ['test/kube/lru-map.test.ts']],
  ['tools/local-cluster/index.ts', ['test/api/admission.test.ts'], ['test/kube/lru-map.test.ts']],
  ['package.json', ['test/kube/lru-map.test.ts', 'test/api/admission.test.ts'], []],
  ['src/deleted.ts', ['test/kube/lru-map.test.ts', 'test/api/admission.test.ts'], []],
])('a change of %s', (path, expected, unexpected) => {
  const { affected, skipped } = affectedTests(dependencies, [path]);
  expect(affected).toEqual(expect.arrayContaining([...expected]));
  expect(skipped).toEqual(expect.arrayContaining([...unexpected]));
});

test('nothing changed affects nothing', () => {
  expect(affectedTests(dependencies, []).affected).toEqual([]);
});

test('commits, edits and new files since a branch are changes; those of the branch itself are not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'));
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder, env: environment, encoding: 'utf8' });
  const commit = (name: string) => {
    writeFileSync(join(folder, name), name);
    git('add', name);
    git('commit', '-q', '-m', name);
  };
  try {
    git('init', '-q', '-b', 'main');
    commit('first');
    commit('moved');
    git('checkout', '-q', '-b', 'work');
    commit('committed');
    git('checkout', '-q', 'main');
    commit('of-main');
    git('checkout', '-q', 'work');
    writeFileSync(join(folder, 'first'), 'edited');
    writeFileSync(join(folder, 'ne\u0301w'), 'new');
    git('mv', 'moved', 'to');
    expect(changedSince(folder, 'main').sort()).toEqual(['committed', 'first', 'moved', 'ne\u0301w', 'to']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
