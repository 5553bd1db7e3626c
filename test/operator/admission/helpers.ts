import { Agent, request } from 'node:https';
import type { CertificateSource, ServingCertificate } from '../../../src/operator/admission/certificates/source';
import type { AdmissionHandler } from '../../../src/operator/admission/review';
import { AdmissionServer, type AdmissionServerOptions, type AnsweredReview } from '../../../src/operator/admission/server';
import { systemClock } from '../../../src/kube/clock';
import { silentLogger, type Logger } from '../../../src/kube/logger';
import { testAuthority, testCertificate } from '../../helpers/certificates';

const authority = testAuthority('webhook');

/** The CA that the clients of these tests trust. */
export const CA = authority.certificate.toString();

/** A certificate of that CA. */
export function certificate(commonName = 'webhook'): ServingCertificate {
  const { certificate: cert, key } = testCertificate(authority, { commonName }, ['localhost']);
  return { cert, key };
}

/** Certificates that a test sets. */
export class SetCertificates implements Pick<CertificateSource, 'current' | 'onChange'> {
  private readonly listeners: (() => void)[] = [];

  constructor(private served?: ServingCertificate) {}

  current(): ServingCertificate | undefined {
    return this.served;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  set(next: ServingCertificate): void {
    this.served = next;
    this.listeners.forEach((listener) => listener());
  }
}

/** A server on the loopback interface, with a record of its answers. */
export interface TestServer {
  readonly server: AdmissionServer;
  readonly port: number;
  readonly answered: AnsweredReview[];
  readonly errors: unknown[];
}

export async function startServer(
  handlers: Readonly<Record<string, AdmissionHandler>>, options: Partial<AdmissionServerOptions> = {},
): Promise<TestServer> {
  const answered: AnsweredReview[] = [];
  const errors: unknown[] = [];
  const logger: Logger = { ...silentLogger, error: (fields) => errors.push(fields), warn: (fields) => errors.push(fields) };
  const server = new AdmissionServer({
    address: { host: '127.0.0.1', port: 0 }, handlers, certificates: new SetCertificates(certificate()), minVersion: 'TLSv1.2',
    logger, clock: systemClock,
    onAnswer: (answer) => answered.push(answer), ...options,
  });
  await server.start();
  return { server, port: server.port, answered, errors };
}

/** A review as the API server sends it, with some other fields of the request. */
export function review(changes: object = {}): any {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'a-uid', operation: 'CREATE', kind: { group: 'sparkoperator.k8s.io', version: 'v1beta2', kind: 'SparkApplication' },
      resource: { group: 'sparkoperator.k8s.io', version: 'v1beta2', resource: 'sparkapplications' }, namespace: 'jobs', name: 'pi',
      dryRun: false,
      object: { metadata: { name: 'pi', namespace: 'jobs' }, spec: {} }, oldObject: null, userInfo: {}, options: {}, ...changes,
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The text parsed as JSON, if it is JSON. */
  readonly json: any;
}

export interface PostOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
}

/** Sends a body, encoded as JSON unless it is bytes or a text, and resolves with the answer. */
export function post(
  port: number, path: string, body: unknown, { method = 'POST', headers = {}, agent }: PostOptions = {},
): Promise<Reply> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1', port, servername: 'localhost', path, method, ca: CA, agent: agent ?? false,
      headers: { 'content-type': 'application/json', 'content-length': bytes.length, ...headers },
    }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode!, headers: response.headers, text, json: text.startsWith('{') ? JSON.parse(text) : undefined,
        });
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}
