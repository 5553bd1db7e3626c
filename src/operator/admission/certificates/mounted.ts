import { X509Certificate } from 'node:crypto';
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Clock, systemClock, type Timer } from '../../../kube/clock';
import { withDefaults } from '../../../kube/defaults';
import { toError } from '../../../kube/errors';
import type { Logger } from '../../../kube/logger';
import type { CertificateHealth, CertificateSource, ServingCertificate } from './source';

/** Milliseconds after a change until the files are read: one change is told many times. */
const SETTLING = 100;
/** Milliseconds until a pair is read again that does not fit: the other file is about to come. */
const RETRY = 1_000;

/** Settings of mounted certificates. */
export interface MountedCertificatesOptions {
  /** Where the files are, such as the mount path of a Secret. */
  readonly directory: string;
  /** File with the certificate and those of the CAs between it and what clients trust, in PEM. @default 'tls.crt' */
  readonly certName?: string;
  /** File with the private key, in PEM. @default 'tls.key' */
  readonly keyName?: string;
  /** Milliseconds after which the files are read without anything having been told. @default 10000 */
  readonly interval?: number;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
}

/**
 * A certificate that others put into files and renew, such as cert-manager by way of a Secret that is mounted. It is read when the source starts and
 * whenever the files change. What cannot be served, such as a certificate of which the key has not come yet, is told by `health`; what was served before goes on to be.
 *
 * The kubelet changes a mounted Secret by giving the link `..data` another target. Watches tell of that, and of files that are written in
 * place, but not on all file systems: the files are read in intervals, too.
 */
export class MountedCertificates implements CertificateSource {
  private readonly options;
  private readonly clock: Clock;
  private readonly listeners: (() => void)[] = [];
  private serving?: ServingCertificate & { readonly notAfter: Date };
  private problem?: string;
  private watcher?: FSWatcher;
  private timer?: Timer;
  /** When `timer` fires. */
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
    const expiry = hasExpired && `the certificate of the webhook, ${join(directory, certName)}, has expired: renew it, it is read again by itself`;
    return { problem: [expiry, problem].filter(Boolean).join('; ') || undefined, notAfter: serving.notAfter };
  }

  private reconcile(): void {
    // Before the files are read, so that no change goes unseen.
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

  /** Or sooner, if that is to be anyway: what changes all the time must not put it off. */
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

  /** @throws errors that say what is wrong with the files */
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
      // Reading says what is wrong with the directory.
    }
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}, which the webhook needs, cannot be read (${(error as NodeJS.ErrnoException).code}): mount the Secret with the certificate there, or let the operator manage certificates itself`);
  }
}

/** When a certificate ends. @throws if it cannot be served with this key */
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
    // Of OpenSSL, a word such as ERR_OSSL_X509_KEY_VALUES_MISMATCH; nothing of what is in the files.
    throw new Error(`${certFile} and ${keyFile} cannot be served (${(error as NodeJS.ErrnoException).code ?? 'no reason given'}): write both, of one pair; they are read again by themselves`);
  }
  return certificate.validToDate;
}
