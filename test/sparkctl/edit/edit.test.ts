import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ApiError } from '../../../src/kube/errors';
import { editObject } from '../../../src/sparkctl/edit/edit';
import { editorOf, openEditor } from '../../../src/sparkctl/edit/editor';
import { targetOf } from '../../../src/sparkctl/target';
import { FakeCluster } from '../cluster';
import { sparkctl } from '../helpers';

const PI = {
  metadata: { name: 'pi', namespace: 'jobs', uid: 'u-1', resourceVersion: '7', labels: { team: 'data' }, annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' }, managedFields: [{ manager: 'x' }] },
  spec: { type: 'Python', sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', mainApplicationFile: 'local:///pi.py', arguments: ['10'], timeToLiveSeconds: 60, driver: { cores: 1 }, executor: { instances: 2 } },
  status: { applicationState: { state: 'RUNNING' } },
};

/** Edits pi with an editor that replaces texts, one pair of texts each time it is opened. */
async function edit(...replacements: readonly (readonly [find: string | RegExp, text: string])[]) {
  const cluster = new FakeCluster().put('sparkapplications', PI as any);
  const opened: string[] = [];
  let path = '';
  const open = async (file: string) => {
    path = file;
    opened.push(readFileSync(file, 'utf8'));
    expect([file, dirname(file)].map((each) => (statSync(each).mode % 0o1000).toString(8))).toEqual(['600', '700']);
    const [find, text] = replacements[opened.length - 1] ?? ['', ''];
    writeFileSync(file, opened.at(-1)!.replace(find, text));
  };
  const result = await editObject(targetOf('pi', 'jobs', ['application']), { client: cluster.client, open, signal: new AbortController().signal }).catch((error: Error) => error);
  const left = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  rmSync(dirname(path), { recursive: true, force: true });
  return { result, opened, left, path, changes: cluster.changes };
}

test('the text has no status and no metadata of the API server; only changed fields are sent', async () => {
  const { result, opened, changes, left } = await edit([/cores: 1\n([^]*)  timeToLiveSeconds: 60\n/, 'cores: 2\n$1']);
  expect({ result, left }).toEqual({ result: true, left: undefined });
  expect(opened).toEqual([`# SparkApplication jobs/pi: save the changes and end the editor to send them. An unchanged or empty
# file changes nothing.
# A changed spec stops the current run of an application, and runs it again.
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  labels:
    team: data
  name: pi
  namespace: jobs
spec:
  arguments:
    - "10"
  driver:
    cores: 1
  executor:
    instances: 2
  image: apache/spark:4.1.1
  mainApplicationFile: local:///pi.py
  sparkVersion: 4.1.1
  timeToLiveSeconds: 60
  type: Python
`]);
  expect(changes).toEqual(['patch sparkapplications jobs/pi {"spec":{"driver":{"cores":2},"timeToLiveSeconds":null},"metadata":{"uid":"u-1"}}']);
});

test.each<[string, [string | RegExp, string]]>([['unchanged', ['', '']], ['empty', [/[^]*/, '']], ['with another comment only', [/^/, '# mine\n']]])('a text that is %s changes nothing', async (_, replacement) => {
  expect(await edit(replacement)).toMatchObject({ result: false, changes: [], left: undefined });
});

test('an error opens the editor again, with the reasons on top of the edited text', async () => {
  const { result, opened, changes } = await edit(['cores: 1', 'cores: many'], [/cores: many/, 'cores: 3']);
  expect(result).toBe(true);
  expect(opened[1]).toMatch(/^# Nothing was changed yet\. Correct this, or save an unchanged or empty file to give up:\n# spec\.driver\.cores = "many" must be [^\n]*\n(# [^\n]*\n)*apiVersion: [^]*cores: many\n/);
  expect(changes).toHaveLength(1);
});

test('an error in YAML is reported with its line in the file', async () => {
  const { opened } = await edit(['    cores: 1', '    cores: 1\n    cores: 2'], [/ +cores: 2\n/, '']);
  const [, line] = /^# line (\d+): invalid YAML: Map keys must be unique/m.exec(opened[1]!)!;
  expect(opened[1]!.split('\n')[Number(line) - 1]).toBe('    cores: 2');
});

test.each<[string, [string | RegExp, string], RegExp]>([
  ['no YAML', ['spec:', 'spec: [\n'], /invalid YAML/],
  ['another name', ['name: pi', 'name: pie'], /metadata\.name cannot be changed: write pi/],
  ['several errors', ['    cores: 1', '    coresX: 1\n    coresY: 2'], /^nothing was changed:\n {2}spec\.driver\.coresX .*\n {2}spec\.driver\.coresY /],
  ['two objects', [/$/, '---\nkind: A\n'], /the text has 2 objects; write one/],
])('after giving up, the text is kept in a file: %s', async (_, replacement, reason) => {
  const { result, left, path, changes, opened } = await edit(replacement);
  expect((result as Error).message).toMatch(reason);
  expect((result as Error).message).toMatch(new RegExp(`\nThe edited text is in ${path}$`));
  expect(left).toContain(replacement[1].trim());
  expect({ opened: opened.length, changes }).toEqual({ opened: 2, changes: [] });
});

test('an answer about the object, such as of a webhook, opens the editor again', async () => {
  const patches: unknown[] = [];
  const client = {
    get: async () => PI,
    patch: async (...args: unknown[]) => {
      patches.push(args.slice(2));
      if (patches.length === 1) throw new ApiError({ verb: 'patch', resource: 'sparkapplications', namespace: 'jobs', name: 'pi' }, 403, { message: 'exceeded quota: cpu' });
    },
  };
  const opened: string[] = [];
  const open = async (file: string) => {
    opened.push(readFileSync(file, 'utf8'));
    writeFileSync(file, opened.at(-1)!.replace(/cores: \d/, `cores: ${9 - opened.length}`));
  };
  expect(await editObject(targetOf('pi', 'jobs', ['application']), { client: client as any, open, signal: new AbortController().signal })).toBe(true);
  expect(opened[1]).toMatch(/# .*403 Forbidden: exceeded quota: cpu/);
  expect(patches[1]).toEqual([{ type: 'merge', body: { spec: { driver: { cores: 7 } }, metadata: { uid: 'u-1' } } }, { fieldManager: 'sparkctl-edit', signal: expect.anything() }]);
});

test('the error of an editor that removed the file is reported', async () => {
  const open = async (file: string) => {
    rmSync(file);
    throw new Error('the editor failed');
  };
  const { client } = new FakeCluster().put('sparkapplications', PI as any);
  await expect(editObject(targetOf('pi', 'jobs', ['application']), { client, open, signal: new AbortController().signal })).rejects.toThrow('the editor failed');
});

test('the editor: KUBE_EDITOR, then EDITOR, with options; no shell expands it', async () => {
  expect(editorOf({ KUBE_EDITOR: 'code --wait', EDITOR: 'nano' })).toEqual(['code', '--wait']);
  expect(editorOf({ KUBE_EDITOR: '', EDITOR: '"/opt/my editor" $(touch x)' })).toEqual(['/opt/my editor', '$(touch', 'x)']);
  expect([editorOf({}, 'linux', true), editorOf({}, 'win32', false)]).toEqual([['vi'], ['notepad']]);
  expect(() => editorOf({}, 'linux', false)).toThrow('there is no terminal for vi; set KUBE_EDITOR or EDITOR to a program that needs none');
  await expect(openEditor(['/nonexistent/editor'], 'x')).rejects.toThrow(/^the editor \/nonexistent\/editor cannot be started: there is no such program; set KUBE_EDITOR or EDITOR to another one$/);
  await expect(openEditor([process.execPath, '-e', 'process.exit(3)'], 'x')).rejects.toThrow(/ ended with exit code 3; nothing was changed$/);
});

test('Ctrl-C within the editor is only for the editor', async () => {
  const signals = new EventEmitter();
  const interrupted = jest.fn();
  signals.once('SIGINT', interrupted);
  const closed = openEditor([process.execPath, '-e', 'setTimeout(() => {}, 200)'], 'x', signals);
  signals.emit('SIGINT');
  await closed;
  expect(interrupted).not.toHaveBeenCalled();
  signals.emit('SIGINT');
  signals.emit('SIGINT');
  expect(interrupted).toHaveBeenCalledTimes(1);
});

describe('sparkctl edit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'edit-test-'));
  const { KUBE_EDITOR } = process.env;
  afterAll(() => {
    process.env.KUBE_EDITOR = KUBE_EDITOR;
    if (KUBE_EDITOR === undefined) delete process.env.KUBE_EDITOR;
    rmSync(folder, { recursive: true });
  });

  test('without the permission to patch, it opens no editor', async () => {
    const opened = join(folder, 'opened');
    const editor = join(folder, 'opening.js');
    writeFileSync(editor, `require('fs').writeFileSync(${JSON.stringify(opened)}, '');`);
    process.env.KUBE_EDITOR = `"${process.execPath}" ${editor}`;
    const cluster = new FakeCluster().put('sparkapplications', PI as any);
    cluster.forbidden.add('patch sparkapplications pi');
    expect(await sparkctl(['edit', 'pi'], { cluster })).toMatchObject({
      code: 1, stdout: '', stderr: ['sparkctl edit: you cannot patch sparkapplications in jobs; ask for the permission that `kubectl auth can-i patch sparkapplications -n jobs` checks'],
    });
    expect(existsSync(opened)).toBe(false);
    cluster.forbidden.clear();
    expect(await sparkctl(['edit', 'pi'], { cluster })).toMatchObject({ code: 0, stderr: ['SparkApplication jobs/pi: no changes'] });
    expect(existsSync(opened)).toBe(true);
  });

  test.each([
    ['instances: 4', { code: 0, stdout: 'SparkApplication jobs/pi edited\n', stderr: [] }],
    ['instances: 2', { code: 0, stdout: '', stderr: ['SparkApplication jobs/pi: no changes'] }],
    ['instances: -1', { code: 1, stdout: '', stderr: [expect.stringMatching(/^sparkctl edit: nothing was changed: spec\.executor\.instances = -1 /), expect.stringMatching(/^The edited text is in /)] }],
  ])('%s', async (text, expected) => {
    const editor = join(folder, 'editor.js');
    writeFileSync(editor, `const fs = require('fs'); const file = process.argv[2]; fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/instances: -?\\d/, ${JSON.stringify(text)}));`);
    process.env.KUBE_EDITOR = `"${process.execPath}" ${editor}`;
    const cluster = new FakeCluster().put('sparkapplications', PI as any);
    const result = await sparkctl(['edit', 'pi'], { cluster });
    expect(result).toMatchObject(expected);
    const kept = /is in (.*)$/.exec(result.stderr.at(-1) ?? '')?.[1];
    if (kept) rmSync(dirname(kept), { recursive: true });
  });
});
