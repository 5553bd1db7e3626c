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

/** Of the server's certificate, for people. */
const NAME = 'spark-operator-webhook';
/** Times in a row that others were faster, after which there is a pause. */
const MAX_ATTEMPTS = 5;
/** Milliseconds from one look at the objects to the next, whatever happens to them. */
const MIN_PAUSE = 250;
const MIN_BACKOFF = 500;
/** A look at least so many times in a certificate's life. */
const LOOKS_A_LIFE = 20;

/** What the certificates need of the client. It must not be one that only a leader may write with: each replica serves. */
export type CertificateClient = Pick<KubeClient, 'get' | 'update' | 'patch' | 'watch'>;

/** Settings of self-managed certificates. */
export interface SelfManagedCertificatesOptions {
  readonly client: CertificateClient;
  /** Where the certificates are kept. It is not created: the install does that, so that rights can be for this one. */
  readonly secret: Required<Ref>;
  /** The Service that the webhook is reached by. */
  readonly service: Required<Ref>;
  /** Name of the MutatingWebhookConfiguration that is to trust the CA. @default - there is none */
  readonly mutatingConfiguration?: string;
  /** Name of the ValidatingWebhookConfiguration that is to trust the CA. @default - there is none */
  readonly validatingConfiguration?: string;
  /** See `certificateSettings`. */
  readonly settings: CertificateSettings;
  /** Longest time, in milliseconds, from one look at the objects to the next; changes are mostly heard of at once. @default - 30000, or a twentieth of the lifetime */
  readonly interval?: number;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
  /** @default - random keys and numbers */
  readonly newKeys?: PlanInput['newKeys'];
}

/** The DNS names by which a Service is found; API servers use the first. */
export function hostsOfService({ namespace, name }: Required<Ref>): string[] {
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`, `${name}.${namespace}`];
}

/**
 * A CA and a certificate of the server, kept in a Secret that all replicas share, and renewed there long before they end; the CA is put into the
 * webhook configurations.
 *
 * Each replica does all of it: what the Secret has decides (see `planCertificates`), and a write holds only for the version that was read, so
 * that of several replicas one succeeds and the others use what it wrote. Nothing depends on what a process did before: it may be
 * ended between any two writes.
 *
 * Rights: get, watch and update of the Secret, get, watch and patch of each configuration. The watches are for these names (`fieldSelector`), as rights with
 * `resourceNames` ask for it; without them changes are noticed after `interval`.
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
  /** What the Secret had when all was well. */
  private kept?: CertificateTexts;
  /** Since when, by the monotonic clock, all configurations have been seen to have a CA, by its PEM text. */
  private readonly trustedSince = new Map<string, number>();
  /** Writes of the Secret with hardly a time between them, and when the last was. */
  private rewrites = 0;
  private lastWrite = -Infinity;
  /** Ends the pause, if there is one. */
  private wake = () => {};
  /** Something has changed since the last look began. */
  private hasNews = false;

  constructor(options: SelfManagedCertificatesOptions) {
    this.options = withDefaults(options, { interval: Math.min(30_000, options.settings.lifetime / LOOKS_A_LIFE), clock: systemClock, random: Math.random, newKeys });
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
    return { problem: [hasExpired && 'the certificate of the webhook has expired', problem].filter(Boolean).join('; ') || undefined, notAfter: new Date(serving.notAfter) };
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
      const longest = failures === 0 ? interval * (1 - random() / 4) : backoff(failures - 1, Math.min(MIN_BACKOFF, interval), interval, random);
      // Two processes that do not agree, about the time for example, must not replace each other's certificates at full speed.
      const shortest = this.rewrites === 0 ? MIN_PAUSE : backoff(this.rewrites, MIN_PAUSE, interval, random);
      await this.pause(shortest, Math.min(longest, until - this.clock.now()));
    }
  }

  /** Looks at the objects and does what is to be done. @returns when to look again, and what could not be done */
  private async reconcile(): Promise<{ readonly until: number; readonly problem?: string }> {
    const { client, secret } = this.options;
    const { signal } = this.stopping;
    for (let attempt = 1; ; attempt++) {
      // The configurations come first: if a later version of the Secret than the one that is read here has led to a bundle there, ours is refused.
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
      const absent = configurations.filter(({ object }) => object === undefined).map(({ ref: { resource, name } }) => `there is no ${resource.kind} ${name}: install it, as nothing is sent to the webhook without it`);
      const until = hasNew ? Math.min(plan.requeueAt, this.clock.now() + this.options.settings.propagation) : plan.requeueAt;
      return { until, problem: [...problems, ...absent].join('; ') || undefined };
    }
  }

  private plan(stored: Secret): CertificatePlan {
    const { settings, newKeys: keys } = this.options;
    const texts = textsOf(stored);
    // Servers still show what the CA of before has signed, and nothing else of it is left.
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
    return isEmptied ? { ...plan, why: ['it was emptied: what it had is put back', ...plan.why] } : plan;
  }

  /** In milliseconds since the epoch; the clock may have been set since. */
  private seenTrusted(authority: string): number | undefined {
    const since = this.trustedSince.get(authority);
    return since === undefined ? undefined : this.clock.now() - (this.clock.monotonic() - since);
  }

  /** Others' keys stay. */
  private async write(stored: Secret, { texts, why }: CertificatePlan): Promise<void> {
    const others = Object.entries(stored.data ?? {}).filter(([key]) => !(TEXT_KEYS as readonly string[]).includes(key));
    const ours = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
    await this.options.client.update(SECRETS, { ...stored, data: Object.fromEntries([...others, ...ours]) }, { signal: this.stopping.signal });
    const sinceLast = this.clock.monotonic() - this.lastWrite;
    this.lastWrite = this.clock.monotonic();
    this.rewrites = sinceLast < 2 * this.options.interval ? this.rewrites + 1 : 0;
    this.logger.info({ why }, `wrote certificates of the webhook to the Secret: ${why.join('; ')}`);
  }

  private async readConfigurations(): Promise<{ configurations: ReadConfiguration[]; problems: string[] }> {
    const { client } = this.options;
    const problems: string[] = [];
    const configurations = await Promise.all(this.configurations.map((ref) => readConfiguration(client, ref, this.stopping.signal).catch((error) => {
      problems.push(this.problemOf(toError(error)));
      return undefined;
    })));
    return { configurations: configurations.filter((configuration) => configuration !== undefined), problems };
  }

  /** A configuration that does not take the bundle is a problem of that one. `outdated`: one has changed since it was read; asked only if it can be read again. */
  private async putBundles(configurations: readonly ReadConfiguration[], bundle: string, canReadAgain: boolean): Promise<string[] | 'outdated'> {
    const { client } = this.options;
    const { signal } = this.stopping;
    const problems: string[] = [];
    for (const configuration of configurations) {
      const { resource, name } = configuration.ref;
      try {
        if (await putBundle(client, configuration, bundle, signal)) this.logger.info({ [resource.plural]: name }, `put the CA of the webhook into ${resource.kind} ${name}`);
      } catch (error) {
        if (canReadAgain && isOutdated(error) && await hasChanged(client, configuration, signal)) return 'outdated';
        problems.push(this.problemOf(toError(error)));
      }
    }
    return problems;
  }

  /** What a configuration was seen without is not known to be trusted. */
  private forget(configurations: readonly ReadConfiguration[]): void {
    for (const authority of this.trustedSince.keys()) {
      if (!configurations.every((configuration) => trusts(configuration, authority))) this.trustedSince.delete(authority);
    }
  }

  /** @returns whether one of the CAs was not known to be trusted */
  private remember(bundle: string): boolean {
    const authorities = new Set(bundle.split(/(?<=-----END CERTIFICATE-----\n)/));
    const hasNew = [...authorities].some((authority) => !this.trustedSince.has(authority));
    for (const authority of authorities) this.trustedSince.set(authority, this.trustedSince.get(authority) ?? this.clock.monotonic());
    for (const authority of this.trustedSince.keys()) if (!authorities.has(authority)) this.trustedSince.delete(authority);
    return hasNew;
  }

  /** As long as clients cannot be told of another CA, what is served stays as it was. */
  private serve(plan: CertificatePlan, isTrusted: boolean): void {
    const before = this.serving;
    if (before?.serving.cert === plan.serving.cert) return;
    if (before && !isTrusted && before.servedBy !== plan.servedBy && before.notAfter > this.clock.now()) return;
    const { serving, servedBy, notAfter } = plan;
    this.serving = { serving, servedBy, notAfter };
    this.logger.info({ notAfter: new Date(notAfter).toISOString() }, 'the webhook has another certificate');
    for (const listener of this.listeners) listener();
  }

  /** Once for each problem. */
  private report(problem: string | undefined): void {
    if (problem !== undefined && problem !== this.problem) this.logger.warn({}, problem);
    if (problem === undefined && this.problem !== undefined) this.logger.info({}, 'the certificates of the webhook are in order again');
    this.problem = problem;
  }

  private problemOf(error: Error): string {
    const { secret } = this.options;
    const what = 'the certificates of the webhook cannot be kept up';
    if (error instanceof ApiError && isNotFound(error) && error.call.resource === SECRETS.plural) return `${what}: there is no Secret ${keyOf(secret)}; create it without data (kubectl -n ${secret.namespace} create secret generic ${secret.name}), or install the operator again`;
    const remedy = isForbidden(error) ? '; grant the operator get, watch and update of its Secret, and get, watch and patch of its webhook configurations' : '';
    return `${what}: ${error.message}${remedy}`;
  }

  /** Looks again at once when an object changes. The first event tells of the object as it is. */
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

  /** For `shortest` milliseconds, then until `longest` are over or there is news. */
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
  return Object.fromEntries(TEXT_KEYS.flatMap((key) => (data[key] === undefined ? [] : [[key, Buffer.from(data[key], 'base64').toString()]])));
}
