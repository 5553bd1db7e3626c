import { type CertificateSettings, certificateSettings } from '../../../../../src/operator/admission/certificates/plan';
import { SelfManagedCertificates } from '../../../../../src/operator/admission/certificates/self-managed';
import type { ManualClock } from '../../../../kube/helpers/manual-clock';
import { MemoryLogger } from '../../../../kube/helpers/memory-logger';
import { newKeys } from '../../../../../src/kube/x509/x509';
import { CONFIGURATION, type FakeCluster, SECRET, SERVICE } from './fake-cluster';

/** A process that serves with the certificates of the cluster. */
export class Replica {
  readonly logger = new MemoryLogger();
  readonly source: SelfManagedCertificates;

  constructor(
    readonly who: string, cluster: FakeCluster, readonly clock: ManualClock,
    { settings = certificateSettings(), interval }: { readonly settings?: CertificateSettings; readonly interval?: number } = {},
  ) {
    this.source = new SelfManagedCertificates({
      client: cluster.client(who), secret: SECRET, service: SERVICE, mutatingConfiguration: CONFIGURATION,
      validatingConfiguration: CONFIGURATION,
      settings, interval, logger: this.logger, clock, random: () => 0.5, newKeys,
    });
    this.source.start();
  }

  /** Returns the served certificate; undefined if there is none. */
  get cert(): string | undefined {
    return this.source.current()?.cert;
  }

  /** The lines of the log, without their levels. */
  get lines(): string[] {
    return this.logger.lines.map((line) => line.replace(/^\w+ /, ''));
  }
}
