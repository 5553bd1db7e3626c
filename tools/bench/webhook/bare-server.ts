/*
 * A server that answers each review at once, for the speed of the machine. `node bare-server.ts CERTIFICATE KEY`
 * prints its port, and ends with its parent.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readText } from '../api-client.ts';

const [certificate, key] = process.argv.slice(2);

const server = createServer({ cert: readFileSync(certificate!), key: readFileSync(key!) }, async (request, response) => {
  const { request: { uid } } = JSON.parse(await readText(request));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } }));
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().once('end', () => process.exit(0));
