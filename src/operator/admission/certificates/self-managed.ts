import { backoff } from '../../../kube/backoff';
import type { KubeClient } from '../../../kube/client';
import { type Clock, type Random, sleep, systemClock } from '../../../kube/clock';
import { withDefaults } from '../../../kube/defaults';
import { ApiError, isConflict, isForbidden, isNotFound, toError } from '../../../kube/errors';
import type { Logger } from '../../../kube/logger';
import { keyOf, type Ref } from '../../../kube/objects';
import type { Resource } from '../../../kube/resource';
import { newKeys } from '../../../kube/x509/x509';
import type { Secret } from '../../../model/kubernetes-objects';
import { MUTATING_WEBHOOK_CONFIGURATIONS, SECRETS, VALIDATING_WEBHOOK_CONFIGURATIONS } from '../../../model/resources';
import { type ConfigurationRef, hasChanged, isOutdated, putBundle, readConfiguration, type ReadConfiguration, trusts } from './ca-bundle';
import { type CertificatePlan, type CertificateSettings, planCertificates, type PlanInput } from './plan';
import type { CertificateHealth, CertificateSource, ServingCertificate } from './source';
import { type CertificateTexts, TEXT_KEYS } from './stored';

/** Common name of the server's certificate. */
const NAME = 'spark-operator-webhook';
/** Consecutive conflicts with other writers before a pause. */
const MAX_ATTEMPTS = 5;
/** Minimum milliseconds between two reconciles, whatever happens to the objects. */
const MIN_PAUSE = 250;
const MIN_BACKOFF = 500;
/** Minimum number of reconciles in a certificate's lifetime. */
const LOOKS_A_LIFE = 20;

/**
 * The client that the certificates need. It must not be the leader's fenced one, because each
 * replica serves.
 */
export type CertificateClient = Pick<KubeClient, 'get' | 'update' | 'patch' | 'watch'>;

/** Settings of self-managed certificates. */
export interface SelfManagedCertificatesOptions {
  readonly client: CertificateClient;
  /**
   * Secret with the certificates. The installation creates it, so that permissions can name this
   * one Secret.
   */
  readonly secret: Required<Ref>;
  /** Service of the webhook. */
  readonly service: Required<Ref>;
  /** Name of the MutatingWebhookConfiguration that needs the CA. @default - none */
  readonly mutatingConfiguration?: string;
  /** Name of the ValidatingWebhookConfiguration that needs the CA. @default - none */
  readonly validatingConfiguration?: string;
  /** See `certificateSettings`. */
  readonly settings: CertificateSettings;
  /**
   * Maximum milliseconds between two reconciles; watches usually report changes at once.
   * @default - 30000, or a twentieth of the lifetime
   */
  readonly interval?: number;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
  /** @default - random keys and numbers */
  readonly newKeys?: PlanInput['newKeys'];
}

/** Returns the DNS names of a Service. API servers use the first. */
export function hostsOfService({ namespace, name }: Required<Ref>): string[] {
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`, `${name}.${namespace}`];
}

/**
 * A CA and a server certificate in a Secret that all replicas share. The source renews both long
 * before they expire, and puts the CA into the webhook configurations.
 *
 * Each replica runs the whole process. The content of the Secret decides (see `planCertificates`),
 * and a write applies only to the version that was read. If several replicas write, one succeeds
 * and the others use its result. Nothing depends on the earlier actions of a process, so it can end
 * between any two writes.
 *
 * Permissions: get, watch and update of the Secret; get, watch and patch of each configuration. The
 * watches select these names (`fieldSelector`), as permissions with `resourceNames` require.
 * Without the watches, changes are noticed after `interval`.
 */
export class SelfManagedCertificates implements CertificateSource {
  private readonly options;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly hosts: readonly string[];
  private readonly configurations: readonly ConfigurationRef[];
  private readonly stopping = new AbortController();
  private readonly listeners: (() => void)[] = [];
  private running?: Promise<unknown>;
  private serving?: Pick<CertificatePlan, 'serving' | 'servedBy' | 'notAfter'>;
  private problem?: string;
  /** The content of the Secret at the last successful reconcile. */
  private kept?: CertificateTexts;
  /** Monotonic time since which all configurations have had a CA, by its PEM text. */
  private readonly trustedSince = new Map<string, number>();
  /** Consecutive writes of the Secret in quick succession, and the time of the last write. */
  private rewrites = 0;
  private lastWrite = -Infinity;
  /** Ends the current pause, if any. */
  private wake = () => {};
  /** Whether an object has changed since the last reconcile began. */
  private hasNews = false;

  constructor(options: SelfManagedCertificatesOptions) {
    this.options = withDefaults(options, {
      interval: Math.min(30_000, options.settings.lifetime / LOOKS_A_LIFE), clock: systemClock, random: Math.random, newKeys,
    });
    this.clock = this.options.clock;
    this.logger = options.logger.child({ secret: keyOf(options.secret) });
    this.hosts = hostsOfService(options.service);
    const { mutatingConfiguration: mutating, validatingConfiguration: validating } = options;
    this.configurations = [
      ...(mutating === undefined ? [] : [{ resource: MUTATING_WEBHOOK_CONFIGURATIONS, name: mutating }]),
      ...(validating === undefined ? [] : [{ resource: VALIDATING_WEBHOOK_CONFIGURATIONS, name: validating }]),
    ];
  }

  start(): void {
    this.running ??= Promise.all([
      this.run(),
      this.watch(SECRETS, this.options.secret),
      ...this.configurations.map(({ resource, name }) => this.watch(resource, { name })),
    ]);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('the process is stopping'));
    await this.running;
  }

  current(): ServingCertificate | undefined {
    return this.serving?.serving;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  health(): CertificateHealth {
    const { problem, serving } = this;
    if (!serving) return { problem: problem ?? 'the certificates of the webhook have not been read yet' };
    const hasExpired = serving.notAfter <= this.clock.now();
    return {
      problem: [hasExpired && 'the certificate of the webhook has expired', problem].filter(Boolean).join('; ') || undefined,
      notAfter: new Date(serving.notAfter),
    };
  }

  private async run(): Promise<void> {
    const { interval, random } = this.options;
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted;) {
      this.hasNews = false;
      let until = Infinity;
      let problem: string | undefined;
      try {
        ({ until, problem } = await this.reconcile());
      } catch (error) {
        if (signal.aborted) return;
        problem = this.problemOf(toError(error));
      }
      this.report(problem);
      failures = problem === undefined ? 0 : failures + 1;
      const longest = failures === 0
        ? interval * (1 - random() / 4)
        : backoff(failures - 1, Math.min(MIN_BACKOFF, interval), interval, random);
      // Two processes that disagree, for example about the time, must not replace each other's
      // certificates at full speed.
      const shortest = this.rewrites === 0 ? MIN_PAUSE : backoff(this.rewrites, MIN_PAUSE, interval, random);
      await this.pause(shortest, Math.min(longest, until - this.clock.now()));
    }
  }

  /**
   * Reads the objects and makes the necessary changes.
   * @returns when to requeue, and what failed
   */
  private async reconcile(): Promise<{ readonly until: number; readonly problem?: string }> {
    const { client, secret } = this.options;
    const { signal } = this.stopping;
    for (let attempt = 1; ; attempt++) {
      // The configurations are read first. If a later version of the Secret has already led to a
      // bundle there, the API server rejects our bundle.
      const { configurations, problems } = await this.readConfigurations();
      const stored = await client.get(SECRETS, secret, { signal });
      const plan = this.plan(stored);
      try {
        if (plan.why.length > 0) await this.write(stored, plan);
      } catch (error) {
        if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error;
        continue;
      }
      this.kept = plan.texts;
      if (problems.length === 0) this.forget(configurations);
      const put = await this.putBundles(configurations, plan.bundle, attempt < MAX_ATTEMPTS);
      if (put === 'outdated') continue;
      problems.push(...put);
      const isTrusted = problems.length === 0;
      const hasNew = isTrusted && this.remember(plan.bundle);
      this.serve(plan, isTrusted);
      const absent = configurations.filter(({ object }) => object === undefined).map(
        ({ ref: { resource, name } }) => `there is no ${resource.kind} ${name}: install it, as nothing is sent to the webhook without it`,
      );
      const until = hasNew ? Math.min(plan.requeueAt, this.clock.now() + this.options.settings.propagation) : plan.requeueAt;
      return { until, problem: [...problems, ...absent].join('; ') || undefined };
    }
  }

  private plan(stored: Secret): CertificatePlan {
    const { settings, newKeys: keys } = this.options;
    const texts = textsOf(stored);
    // Servers still show certificates of the previous CA, and no other trace of it exists.
    const isEmptied = this.kept !== undefined && Object.keys(texts).length === 0;
    const plan = planCertificates({
      stored: isEmptied ? this.kept! : texts,
      name: NAME,
      hosts: this.hosts,
      settings,
      now: this.clock.now(),
      trustedSince: (authority) => this.seenTrusted(authority),
      newKeys: keys,
    });
    return isEmptied ? { ...plan, why: ['it was emptied: the operator restores its content', ...plan.why] } : plan;
  }

  /**
   * Returns the time since which a CA is trusted, in milliseconds since the epoch. The clock might
   * have been set since.
   */
  private seenTrusted(authority: string): number | undefined {
    const since = this.trustedSince.get(authority);
    return since === undefined ? undefined : this.clock.now() - (this.clock.monotonic() - since);
  }

  /** Writes the certificates into the Secret, and keeps keys of other owners. */
  private async write(stored: Secret, { texts, why }: CertificatePlan): Promise<void> {
    const others = Object.entries(stored.data ?? {}).filter(([key]) => !(TEXT_KEYS as readonly string[]).includes(key));
    const ours = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
    await this.options.client.update(
      SECRETS, { ...stored, data: Object.fromEntries([...others, ...ours]) }, { signal: this.stopping.signal },
    );
    const sinceLast = this.clock.monotonic() - this.lastWrite;
    this.lastWrite = this.clock.monotonic();
    this.rewrites = sinceLast < 2 * this.options.interval ? this.rewrites + 1 : 0;
    this.logger.info({ why }, `wrote certificates of the webhook to the Secret: ${why.join('; ')}`);
  }

  private async readConfigurations(): Promise<{ configurations: ReadConfiguration[]; problems: string[] }> {
    const { client } = this.options;
    const problems: string[] = [];
    const configurations = await Promise.all(this.configurations.map((ref) => (
      readConfiguration(client, ref, this.stopping.signal).catch((error) => {
        problems.push(this.problemOf(toError(error)));
        return undefined;
      })
    )));
    return { configurations: configurations.filter((configuration) => configuration !== undefined), problems };
  }

  /**
   * Puts the bundle into the configurations. One that rejects the bundle adds a problem. Returns
   * `outdated` if one has changed since it was read; checked only if it can be read again.
   */
  private async putBundles(
    configurations: readonly ReadConfiguration[], bundle: string, canReadAgain: boolean,
  ): Promise<string[] | 'outdated'> {
    const { client } = this.options;
    const { signal } = this.stopping;
    const problems: string[] = [];
    for (const configuration of configurations) {
      const { resource, name } = configuration.ref;
      try {
        if (await putBundle(client, configuration, bundle, signal)) {
          this.logger.info({ [resource.plural]: name }, `put the CA of the webhook into ${resource.kind} ${name}`);
        }
      } catch (error) {
        if (canReadAgain && isOutdated(error) && await hasChanged(client, configuration, signal)) return 'outdated';
        problems.push(this.problemOf(toError(error)));
      }
    }
    return problems;
  }

  /** Forgets the CAs that a configuration lacks: they are not known to be trusted. */
  private forget(configurations: readonly ReadConfiguration[]): void {
    for (const authority of this.trustedSince.keys()) {
      if (!configurations.every((configuration) => trusts(configuration, authority))) this.trustedSince.delete(authority);
    }
  }

  /** Records when each CA of a bundle was first trusted. @returns whether one of them is new */
  private remember(bundle: string): boolean {
    const authorities = new Set(bundle.split(/(?<=-----END CERTIFICATE-----\n)/));
    const hasNew = [...authorities].some((authority) => !this.trustedSince.has(authority));
    for (const authority of authorities) this.trustedSince.set(authority, this.trustedSince.get(authority) ?? this.clock.monotonic());
    for (const authority of this.trustedSince.keys()) if (!authorities.has(authority)) this.trustedSince.delete(authority);
    return hasNew;
  }

  /**
   * Serves the planned certificate. The current one stays as long as clients cannot receive another
   * CA.
   */
  private serve(plan: CertificatePlan, isTrusted: boolean): void {
    const before = this.serving;
    if (before?.serving.cert === plan.serving.cert) return;
    if (before && !isTrusted && before.servedBy !== plan.servedBy && before.notAfter > this.clock.now()) return;
    const { serving, servedBy, notAfter } = plan;
    this.serving = { serving, servedBy, notAfter };
    this.logger.info({ notAfter: new Date(notAfter).toISOString() }, 'the webhook has another certificate');
    for (const listener of this.listeners) listener();
  }

  /** Logs each problem once. */
  private report(problem: string | undefined): void {
    if (problem !== undefined && problem !== this.problem) this.logger.warn({}, problem);
    if (problem === undefined && this.problem !== undefined) this.logger.info({}, 'the certificates of the webhook are in order again');
    this.problem = problem;
  }

  private problemOf(error: Error): string {
    const { secret } = this.options;
    const what = 'the certificates of the webhook cannot be kept up';
    if (error instanceof ApiError && isNotFound(error) && error.call.resource === SECRETS.plural) {
      const command = `kubectl -n ${secret.namespace} create secret generic ${secret.name}`;
      return `${what}: there is no Secret ${keyOf(secret)}; create it without data (${command}), or install the operator again`;
    }
    const remedy = isForbidden(error)
      ? '; grant the operator get, watch and update of its Secret, and get, watch and patch of its webhook configurations'
      : '';
    return `${what}: ${error.message}${remedy}`;
  }

  /** Reconciles as soon as an object changes. The first event reports the current object. */
  private async watch(resource: Resource, { namespace, name }: Ref): Promise<void> {
    const { client, random, interval } = this.options;
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted;) {
      const began = this.clock.monotonic();
      try {
        await client.watch(resource, { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion: '0', signal }, ({ type }) => {
          if (type !== 'BOOKMARK') this.wakeUp();
        });
      } catch (error) {
        if (signal.aborted) return;
        this.logger.debug({ err: toError(error) }, `lost the watch of ${resource.kind} ${name}`);
      }
      failures = this.clock.monotonic() - began >= interval ? 0 : failures + 1;
      await sleep(this.clock, backoff(failures, MIN_BACKOFF, interval, random), signal).catch(() => {});
    }
  }

  private wakeUp(): void {
    this.hasNews = true;
    this.wake();
  }

  /** Waits for `shortest` milliseconds, then until `longest` have passed or an object changes. */
  private async pause(shortest: number, longest: number): Promise<void> {
    const { signal } = this.stopping;
    await sleep(this.clock, shortest, signal).catch(() => {});
    if (this.hasNews || signal.aborted || longest <= shortest) return;
    await new Promise<void>((resolve) => {
      const timer = this.clock.setTimeout(() => this.wake(), longest - shortest);
      this.wake = () => {
        this.clock.clearTimeout(timer);
        signal.removeEventListener('abort', this.wake);
        this.wake = () => {};
        resolve();
      };
      signal.addEventListener('abort', this.wake, { once: true });
    });
  }
}

function textsOf({ data = {} }: Secret): CertificateTexts {
  return Object.fromEntries(TEXT_KEYS.flatMap((key) => (
    data[key] === undefined ? [] : [[key, Buffer.from(data[key], 'base64').toString()]]
  )));
}
