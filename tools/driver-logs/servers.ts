/*
 * Servers for the drivers that are recorded, on addresses that exist only in the network namespace of one recording:
 * a name server that knows no name, an S3 endpoint, a Kubernetes API server and an empty Maven repository.
 * Creates the file of its argument as soon as all listen.
 */
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const NAME_SERVER = { address: '10.96.0.10', port: 53 };
const API_SERVER = { host: '10.96.0.1', port: 80 };
const MAVEN_PORT = 8081;
const S3_PORT = 9000;

/** Answers each question with "no such name" (NXDOMAIN). */
async function nameServer(): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8183, 2); // a response, recursion available, no such name
    answer.fill(0, 6, 12); // no answers; the questions are repeated
    answer.writeUInt16BE(question.readUInt16BE(4), 4);
    socket.send(answer.subarray(0, endOfQuestion(answer)), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(NAME_SERVER, () => resolve()));
}

function endOfQuestion(message: Buffer): number {
  let at = 12;
  while (message[at] !== 0) at += message[at]! + 1;
  return at + 5; // the root label, type and class
}

/** Answers as Amazon S3: one bucket exists, and its objects are forbidden. */
function s3(request: IncomingMessage, response: ServerResponse): void {
  const [, bucket] = request.url!.split(/[/?]/);
  const [status, code, message] = bucket === 'sales-raw' || bucket === ''
    ? [403, 'AccessDenied', 'Access Denied']
    : [404, 'NoSuchBucket', 'The specified bucket does not exist'];
  const head = request.method === 'HEAD';
  response.writeHead(status, { 'content-type': 'application/xml', 'x-amz-request-id': 'F4D9B1C2A7E83056' });
  response.end(head ? undefined : '<?xml version="1.0" encoding="UTF-8"?>\n'
    + `<Error><Code>${code}</Code><Message>${message}</Message><RequestId>F4D9B1C2A7E83056</RequestId>`
    + '<HostId>uJ3lqW9Yk5c1oVQ2mB8tXzN4sR7pD0aE</HostId></Error>');
}

/**
 * Answers as a Kubernetes API server. In the namespace `jobs` pods can be read and not created, in `team-a` all is forbidden,
 * and in `team-b` all is allowed, but no pod ever starts.
 */
function api(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url!, 'http://api');
  const [, namespace = '', resource = '', name] = /^\/api\/v1\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?/.exec(pathname) ?? [];
  const verb = verbOf(request.method!, name, searchParams);
  let body = '';
  request.on('data', (part) => { body += part; });
  request.on('end', () => {
    if (namespace === 'team-a' || (namespace === 'jobs' && verb === 'create' && resource === 'pods')) respond(response, 403, forbidden(verb, resource, namespace, name));
    else if (verb === 'get') respond(response, 200, driverPod(name!, namespace));
    else if (verb === 'list') respond(response, 200, { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '1000' }, items: [] });
    else if (verb === 'watch') response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(); // and no event
    else if (verb === 'create' || verb === 'patch') respond(response, 200, created(JSON.parse(body)));
    else respond(response, 200, { apiVersion: 'v1', kind: 'Status', status: 'Success' });
  });
}

function verbOf(method: string, name: string | undefined, query: URLSearchParams): string {
  if (method === 'GET') return query.get('watch') === 'true' ? 'watch' : name === undefined ? 'list' : 'get';
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete';
  return { POST: 'create', PUT: 'update', PATCH: 'patch' }[method] ?? method.toLowerCase();
}

function forbidden(verb: string, resource: string, namespace: string, name: string | undefined): object {
  const what = name === undefined ? resource : `${resource} "${name}"`;
  return {
    kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden', code: 403, details: { ...(name === undefined ? {} : { name }), kind: resource },
    message: `${what} is forbidden: User "system:serviceaccount:${namespace}:default" cannot ${verb} resource "${resource}" in API group "" in the namespace "${namespace}"`,
  };
}

function driverPod(name: string, namespace: string): object {
  return {
    apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, uid: '0c6b6c1e-5b0b-4a3a-9a35-0f6f7a0f8f0d' }, spec: { containers: [] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function created(object: any): object {
  return { ...object, metadata: { ...object.metadata, uid: randomUUID(), resourceVersion: '1001', creationTimestamp: new Date().toISOString() }, status: { phase: 'Pending' } };
}

/** Answers as a Maven repository that has nothing. */
function maven(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function listening(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
}

await Promise.all([
  nameServer(),
  listening(createServer(s3), S3_PORT, '127.0.0.1'),
  listening(createServer(api), API_SERVER.port, API_SERVER.host),
  listening(createServer(maven), MAVEN_PORT, API_SERVER.host),
]);
writeFileSync(process.argv[2]!, '');
