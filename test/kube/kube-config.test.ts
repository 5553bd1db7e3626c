import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'kube-config-'));
const script = join(folder, 'print-credentials.cjs');

beforeAll(() => {
  const options = {
    entryPoints: [join(__dirname, 'helpers/print-credentials.ts')], outfile: script, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error',
  };
  // Runs in another process, as esbuild does not work in jest.
  execFileSync(process.execPath, ['-e', `require('esbuild').buildSync(${JSON.stringify(options)})`], { cwd: root });
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the output of `print-credentials`. */
function ask(options: object, settings: { afterSeconds?: number[]; refusals?: number; env?: NodeJS.ProcessEnv } = {}) {
  const { env, ...order } = settings;
  const printed = execFileSync(process.execPath, [script, JSON.stringify({ options, ...order })], {
    cwd: folder, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8',
  });
  return JSON.parse(printed);
}

let files = 0;

/** Writes a file and returns its path. */
function file(text: string): string {
  const path = join(folder, `file-${files++}`);
  writeFileSync(path, text);
  return path;
}

/** Writes a kubeconfig with one user and returns its path. */
function kubeconfig(user: object, cluster: object = {}): string {
  return file(stringify({
    'current-context': 'one',
    'contexts': [
      { name: 'one', context: { cluster: 'c', user: 'u', namespace: 'jobs' } },
      { name: 'two', context: { cluster: 'd', user: 'u' } },
      { name: 'broken', context: { cluster: 'missing', user: 'u' } },
    ],
    'clusters': [
      { name: 'c', cluster: { server: 'https://c:6443', ...cluster } },
      { name: 'd', cluster: { server: 'https://d:6443' } },
    ],
    'users': [{ name: 'u', user }],
  }));
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a kubeconfig', () => {
  test('gives the server, the namespace, and a client certificate', () => {
    const path = kubeconfig(
      { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
      { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'kubernetes' },
    );
    expect(ask({ kubeconfig: path })).toEqual({
      server: 'https://c:6443',
      namespace: 'jobs',
      credentials: [{ headers: {}, tls: { ca: 'CA', cert: 'CERT', key: 'KEY', servername: 'kubernetes' } }],
      sameTls: true,
    });
  });

  test('has relative file paths, and another context', () => {
    const ca = file('CA').split('/').at(-1);
    const path = kubeconfig({ token: 't' }, { 'certificate-authority': ca });
    expect(ask({ kubeconfig: path }).credentials[0].tls.ca).toBe('CA');
    expect(ask({ kubeconfig: path, context: 'two' })).toMatchObject({ server: 'https://d:6443', credentials: [{ tls: {} }] });
  });

  test.each([
    ['a token', { token: 's3cret' }, 'Bearer s3cret'],
    ['a password', { username: 'me', password: 's3cret' }, `Basic ${base64('me:s3cret')}`],
  ])('gives %s', (_, user, authorization) => {
    expect(ask({ kubeconfig: kubeconfig(user) }).credentials[0].headers).toEqual({ authorization });
  });

  test('turns verification off, and uses a proxy', () => {
    const path = kubeconfig({ token: 't' }, { 'insecure-skip-tls-verify': true, 'proxy-url': 'http://proxy:3128' });
    expect(ask({ kubeconfig: path }).credentials[0]).toMatchObject({ tls: { rejectUnauthorized: false }, proxy: expect.stringMatching(/^HttpsProxyAgent/) });
  });

  test('can be that of `kubectl proxy`, without TLS', () => {
    expect(ask({ kubeconfig: kubeconfig({}, { server: 'http://127.0.0.1:8001' }) })).toMatchObject({ server: 'http://127.0.0.1:8001' });
  });

  test('starts a credential program when its token has expired, and not for each request', () => {
    const count = join(folder, 'count');
    const program = (expires: string) => ({
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: 'sh',
        args: ['-c', `echo x >> ${count}; echo '{"status": {"token": "token-'$(wc -l < ${count})'", "expirationTimestamp": "${expires}"}}'`],
      },
    });
    const tokens = (expires: string) => {
      rmSync(count, { force: true });
      return ask({ kubeconfig: kubeconfig(program(expires)) }, { afterSeconds: [0.5, 1, 30] }).credentials
        .map(({ headers }: { headers: Record<string, string> }) => headers.authorization);
    };
    expect(tokens('2000-01-01T00:00:00Z')).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
    expect(tokens('2999-01-01T00:00:00Z')).toEqual(Array(4).fill('Bearer token-1'));
  });

  test('stops waiting for a hanging credential program, and starts it again', () => {
    const started = join(folder, 'started');
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', args: ['-c', `mkdir ${started} && exec sleep 20; echo '{"status": {"token": "t"}}'`] };

    expect(ask({ kubeconfig: kubeconfig({ exec }), credentialsTimeout: 2_000 }, { refusals: 1 })).toMatchObject({
      refused: ['no credentials within 2000 ms'],
      credentials: [{ headers: { authorization: 'Bearer t' } }],
    });
  });

  test.each<[string, () => object, string | RegExp]>([
    ['no file', () => ({ kubeconfig: '/no/such/file' }), /^cannot read the kubeconfig \/no\/such\/file: there is no such file$/],
    ['no YAML', () => ({ kubeconfig: file('token: "s3cret') }), /^cannot read the kubeconfig [^ ]*: \w/],
    ['an empty file', () => ({ kubeconfig: file('') }), /^there is no context "" in the kubeconfig [^ ]*, only: none$/],
    ['a file of comments', () => ({ kubeconfig: file('---\n# contexts: []\n\n') }), /^there is no context "" in the kubeconfig [^ ]*, only: none$/],
    ['an unknown context', () => ({ kubeconfig: kubeconfig({}), context: 'three' }), /^there is no context "three" in the kubeconfig [^ ]*, only: one, two, broken$/],
    ['an unknown cluster', () => ({ kubeconfig: kubeconfig({}), context: 'broken' }), /names a cluster that is not described there$/],
    ['a credential program that fails', () => ({ kubeconfig: kubeconfig({ exec: { command: 'false' } }) }), 'the credential program failed: it gives no reason'],
    ['a credential program that is missing', () => ({
      kubeconfig: kubeconfig({ exec: { command: '/no/such/program' } }),
    }), /^the credential program failed: .*ENOENT/],
    ['a credential program that prints anything', () => ({
      kubeconfig: kubeconfig({ exec: { command: 'echo', args: ['s3cret'] } }),
    }), 'the credential program failed: its output is not JSON'],
  ])('that is %s gives an error without secrets', (_, options, message) => {
    const { error } = ask(options());
    expect(error).toMatch(message);
    expect(error).not.toContain('s3cret');
  });
});

describe('several kubeconfigs', () => {
  /** Writes a file into a new folder, next to its certificates. */
  function inFolder(name: string, content: object): string {
    const own = mkdtempSync(join(folder, `${name}-`));
    writeFileSync(join(own, 'ca.crt'), `CA of ${name}`);
    const path = join(own, 'config');
    writeFileSync(path, stringify(content));
    return path;
  }
  const entries = (name: string, server: string) => ({
    contexts: [{ name, context: { cluster: name, user: name } }, { name: 'both', context: { cluster: name, user: name, namespace: name } }],
    clusters: [{ name, cluster: { server, 'certificate-authority': 'ca.crt' } }],
    users: [{ name, user: { token: name } }],
  });

  test('are merged as kubectl does: the first takes precedence, and paths are relative to their file', () => {
    const first = inFolder('one', entries('one', 'https://one:6443'));
    const second = inFolder('two', { 'current-context': 'two', ...entries('two', 'https://two:6443') });
    const third = inFolder('three', { 'current-context': 'one', ...entries('two', 'https://stale:6443') });
    const list = [first, file(''), second, third];
    expect(ask({ kubeconfig: list })).toMatchObject({ server: 'https://two:6443', credentials: [{ headers: { authorization: 'Bearer two' }, tls: { ca: 'CA of two' } }] });
    expect(ask({ kubeconfig: list, context: 'one' })).toMatchObject({ server: 'https://one:6443', credentials: [{ tls: { ca: 'CA of one' } }] });
    expect(ask({ kubeconfig: list, context: 'both' })).toMatchObject({ server: 'https://one:6443', namespace: 'one' });
    expect(ask({ kubeconfig: list, context: 'four' }).error).toBe(`there is no context "four" in the kubeconfigs ${list.join(', ')}, only: one, both, two`);
  });
});

describe('without a kubeconfig', () => {
  test('only a pod has a configuration; KUBECONFIG is not read', () => {
    const env = { KUBECONFIG: kubeconfig({ token: 't' }) };
    expect(ask({}, { env })).toEqual({ error: 'not inside a pod (KUBERNETES_SERVICE_HOST is not set), and no kubeconfig was given' });
  });

  test('the server is that of the environment', () => {
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    // There is no token here; the error names the path.
    expect(ask({}, { env }).error).toMatch(/ENOENT.*\/var\/run\/secrets\/kubernetes.io\/serviceaccount/);
  });
});
