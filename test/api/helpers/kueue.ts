import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseAllDocuments, stringify } from 'yaml';
import { testAuthority, testCertificate } from '../../helpers/certificates';
import { established } from '../../helpers/definitions';
import { apply, kubectl } from '../../helpers/kubectl';

/** Ports in the network of the cluster. */
const WEBHOOK_PORT = 16543;
const HEALTH_PORT = 16544;

/** The webhooks of Kueue that the API server calls. */
const WEBHOOKS = ['msparkapplication.kb.io', 'vsparkapplication.kb.io'];

/** Provides files that a pod of Kueue mounts; without them it does not start, and the path of one of them cannot be chosen. */
const IN_ETC = 'mount -t tmpfs none /etc && mkdir -p /etc/kueue/metrics && ln -s "$0" /etc/kueue/metrics/certs && exec "$@"';

/** The real Kueue, as a process beside the API server, with its definitions and its webhooks for SparkApplications. */
export class Kueue {
  private readonly log: string[] = [];

  private constructor(private readonly child: ChildProcess, private readonly folder: string) {
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', (line) => this.log.push(line));
  }

  /**
   * Starts it. Its webhooks are asked about the applications of one namespace; other test files share the API server.
   *
   * @param release the folder with the program and what belongs to it
   */
  static async start(release: string, jobs: string): Promise<Kueue> {
    await kubectl(['apply', '--server-side', '-f', join(release, 'crds')]);
    await established(180, readdirSync(join(release, 'crds')).map((file) => `${file.slice(file.indexOf('_') + 1, -'.yaml'.length)}.kueue.x-k8s.io`));

    const folder = mkdtempSync(join(tmpdir(), 'kueue-'));
    const certificates = join(folder, 'certificates');
    mkdirSync(certificates);
    const authority = testAuthority('kueue-test');
    const { certificate, key } = testCertificate(authority, { commonName: 'kueue' }, ['127.0.0.1']);
    writeFileSync(join(certificates, 'tls.crt'), certificate);
    writeFileSync(join(certificates, 'tls.key'), key, { mode: 0o600 });
    const configuration = join(folder, 'configuration.yaml');
    writeFileSync(configuration, stringify({
      apiVersion: 'config.kueue.x-k8s.io/v1beta2',
      kind: 'Configuration',
      namespace: 'kueue-system',
      health: { healthProbeBindAddress: `127.0.0.1:${HEALTH_PORT}` },
      metrics: { bindAddress: '0' },
      webhook: { host: '127.0.0.1', port: WEBHOOK_PORT, certDir: certificates },
      internalCertManagement: { enable: false },
      leaderElection: { leaderElect: false },
      integrations: { frameworks: ['sparkoperator.k8s.io/sparkapplication'] },
      featureGates: { SparkApplicationIntegration: true, VisibilityOnDemand: false },
    }));
    const child = spawn('unshare', ['--mount', 'sh', '-c', IN_ETC, certificates, join(release, 'kueue'), `--config=${configuration}`, '--zap-log-level=2'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kueue = new Kueue(child, folder);
    try {
      await kueue.ready();
      await kueue.register(release, jobs, authority.certificate.toString());
    } catch (error) {
      await kueue.stop();
      throw error;
    }
    return kueue;
  }

  /** Ends it. */
  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exit;
    }
    rmSync(this.folder, { recursive: true });
  }

  /** The end of its log. */
  tail(): string {
    return this.log.slice(-30).join('\n');
  }

  private async ready(): Promise<void> {
    const end = Date.now() + 30_000;
    while (!await fetch(`http://127.0.0.1:${HEALTH_PORT}/readyz`).then(({ ok }) => ok, () => false)) {
      if (this.child.exitCode !== null) throw new Error(`Kueue ended with ${this.child.exitCode}: ${this.tail()}`);
      if (Date.now() > end) throw new Error(`Kueue is not ready after 30 s: ${this.tail()}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** As a release of Kueue has them, but for the address and the namespace. */
  private async register(release: string, jobs: string, caBundle: string): Promise<void> {
    const configurations = parseAllDocuments(readFileSync(join(release, 'webhooks.yaml'), 'utf8')).map((document) => document.toJS());
    await apply(configurations.map(({ apiVersion, kind, webhooks }) => ({
      apiVersion,
      kind,
      metadata: { name: `kueue-${jobs}` },
      webhooks: webhooks.filter(({ name }: any) => WEBHOOKS.includes(name)).map((webhook: any) => ({
        ...webhook,
        clientConfig: { url: `https://127.0.0.1:${WEBHOOK_PORT}${webhook.clientConfig.service.path}`, caBundle: Buffer.from(caBundle).toString('base64') },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': jobs } },
      })),
    })));
  }
}
