import { X509Certificate } from 'node:crypto';
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Clock, systemClock, type Timer } from '../../../kube/clock';
import { withDefaults } from '../../../kube/defaults';
import { toError } from '../../../kube/errors';
import type { Logger } from '../../../kube/logger';
import type { CertificateHealth, CertificateSource, ServingCertificate } from './source';

/** Milliseconds from a change until the files are read. One change triggers many watch events. */
const SETTLING = 100;
/** Milliseconds until a mismatched pair is read again. The other file is usually written soon. */
const RETRY = 1_000;

/** Settings of mounted certificates. */
export interface MountedCertificatesOptions {
  /** Directory of the files, such as the mount path of a Secret. */
  readonly directory: string;
  /**
   * File with the certificate, followed by the intermediate CA certificates, in PEM.
   * @default 'tls.crt'
   */
  readonly certName?: string;
  /** File with the private key, in PEM. @default 'tls.key' */
  readonly keyName?: string;
  /** Milliseconds after which the files are read without a watch event. @default 10000 */
  readonly interval?: number;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
}

/**
 * A certificate that another program writes into files and renews, such as cert-manager through a
 * mounted Secret. The source reads it at its start and after each change of the files. `health`
 * reports files that cannot be served, such as a certificate whose key is still missing. The source
 * then keeps serving the previous certificate.
 *
 * The kubelet updates a mounted Secret by pointing the link `..data` at another directory. Watches
 * report that, and files written in place, but not on all file systems. The source therefore also
 * reads the files at intervals.
 */
export class MountedCertificates implements CertificateSource {
  private readonly options;
  private readonly clock: Clock;
  private readonly listeners: (() => void)[] = [];
  private serving?: ServingCertificate & { readonly notAfter: Date };
  private problem?: string;
  private watcher?: FSWatcher;
  private timer?: Timer;
  /** Monotonic time at which `timer` fires. */
  private due = Infinity;
  private isRunning = false;

  constructor(options: MountedCertificatesOptions) {
    this.options = withDefaults(options, { certName: 'tls.crt', keyName: 'tls.key', interval: 10_000, clock: systemClock });
    this.clock = this.options.clock;
  }

  start(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    this.reconcile();
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    this.clock.clearTimeout(this.timer);
    this.watcher?.close();
    this.watcher = undefined;
  }

  current(): ServingCertificate | undefined {
    return this.serving && { cert: this.serving.cert, key: this.serving.key };
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  health(): CertificateHealth {
    const { problem, serving, options: { directory, certName } } = this;
    if (!serving) return { problem: problem ?? `the certificate of the webhook, ${join(directory, certName)}, has not been read yet` };
    const hasExpired = serving.notAfter.getTime() <= this.clock.now();
    const expiry = hasExpired
      && `the certificate of the webhook, ${join(directory, certName)}, has expired: renew it, it is read again by itself`;
    return { problem: [expiry, problem].filter(Boolean).join('; ') || undefined, notAfter: serving.notAfter };
  }

  private reconcile(): void {
    // Before the files are read, so that no change is missed.
    this.watch();
    let problem: string | undefined;
    try {
      this.read();
    } catch (error) {
      problem = toError(error).message;
    }
    if (problem !== undefined && problem !== this.problem) this.options.logger.warn({}, problem);
    this.problem = problem;
    this.reconcileIn(problem === undefined ? this.options.interval : Math.min(RETRY, this.options.interval));
  }

  /**
   * Schedules the next read, unless an earlier one is scheduled. Constant changes must not postpone
   * it.
   */
  private reconcileIn(ms: number): void {
    const due = this.clock.monotonic() + ms;
    if (!this.isRunning || due >= this.due) return;
    this.clock.clearTimeout(this.timer);
    this.due = due;
    this.timer = this.clock.setTimeout(() => {
      this.due = Infinity;
      this.reconcile();
    }, ms);
  }

  /** Reads the files. @throws Error that names the problem of the files */
  private read(): void {
    const { directory, certName, keyName, logger } = this.options;
    const [certFile, keyFile] = [join(directory, certName), join(directory, keyName)];
    const [cert, key] = [textOf(certFile), textOf(keyFile)];
    if (cert === this.serving?.cert && key === this.serving.key) return;
    const notAfter = endOf(cert, key, certFile, keyFile);
    this.serving = { cert, key, notAfter };
    logger.info({ notAfter: notAfter.toISOString() }, 'the webhook has another certificate');
    for (const listener of this.listeners) listener();
  }

  private watch(): void {
    if (this.watcher) return;
    try {
      const watcher = watch(this.options.directory, { persistent: false }, () => this.reconcileIn(SETTLING));
      const end = () => {
        watcher.close();
        if (this.watcher === watcher) this.watcher = undefined;
      };
      watcher.on('error', end);
      this.watcher = watcher;
    } catch {
      // `read` reports what is wrong with the directory.
    }
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(
      `${file}, which the webhook needs, cannot be read (${(error as NodeJS.ErrnoException).code}): `
      + 'mount the Secret with the certificate there, or let the operator manage certificates itself',
    );
  }
}

/** Returns when a certificate expires. @throws Error if it cannot be served with this key */
function endOf(cert: string, key: string, certFile: string, keyFile: string): Date {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    throw new Error(`${certFile} is not a certificate in PEM`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    // The code comes from OpenSSL, such as ERR_OSSL_X509_KEY_VALUES_MISMATCH, and reveals nothing
    // of the files.
    throw new Error(
      `${certFile} and ${keyFile} cannot be served (${(error as NodeJS.ErrnoException).code ?? 'no reason given'}): `
      + 'write both, of one pair; they are read again by themselves',
    );
  }
  return certificate.validToDate;
}
