import { creation } from '../admission/mutate/world';
import { plainPod } from '../admission/mutate/pods';
import { Calls } from '../kinds/spark-application/helpers';
import { operator } from '../kinds/spark-application/operator';
import type { LargeObject } from './objects';
import schema from '../../../schemas/sparkapplication.json';
import connectSchema from '../../../schemas/sparkconnect.json';
import { encodeAnswer } from '../../../src/operator/admission/answer';
import { admissionHandlers } from '../../../src/operator/admission/handlers';
import { NotAReview, parseReview } from '../../../src/operator/admission/parse';
import type { AdmissionDependencies } from '../../../src/operator/admission/dependencies';
import { viewOf } from '../../../src/model/pod-view';
import type { Layers } from '../../../src/plan/defaults/layer';
import { planOf } from '../../../src/operator/kinds/scheduled-spark-application/plan';
import { transform as transformSchedule } from '../../../src/operator/kinds/scheduled-spark-application/transform';
import { transform } from '../../../src/operator/kinds/spark-application/transform';
import { planConnect } from '../../../src/plan/plan-connect';
import { oversizedReason, transform as transformConnect } from '../../../src/operator/kinds/spark-connect/transform';
import { SubmissionError } from '../../../src/plan/errors';
import type { Schema } from '../../../src/rules/schema';
import { violations } from '../../../src/rules/validate';
import { cpuTime } from '../../helpers/cpu-time';

/** Milliseconds of CPU by step. */
export type Costs = { readonly [step: string]: number };

const specIn = (file: unknown) => (file as Schema).properties!.spec!;
const SCHEMAS = { SparkApplication: specIn(schema), SparkConnect: specIn(connectSchema) };
const METADATA = { name: 'pi', namespace: 'jobs', uid: 'app', generation: 1, creationTimestamp: '2026-03-01T10:00:00Z', resourceVersion: '1' };

/** Runs what the operator does with an object: reviews of its creation and its update, and what its controller decides and plans. */
export async function costsOf({ kind, metadata, spec }: Pick<LargeObject, 'kind' | 'metadata' | 'spec'>, layers?: Layers): Promise<Costs> {
  if (kind === 'Pod') {
    const [driver, executor] = (['driver', 'executor'] as const).map((role) => merged(plainPod(role), { metadata, spec }));
    return { review: await reviewCost('/mutate--v1-pod', executor, undefined, layers), view: await cost(() => viewOf(driver)) };
  }
  const group = 'sparkoperator.k8s.io';
  const version = kind === 'SparkConnect' ? 'v1alpha1' : 'v1beta2';
  const object = { apiVersion: `${group}/${version}`, kind, metadata: { ...METADATA, ...metadata }, spec };
  const path = `${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
  return {
    mutate: await reviewCost(`/mutate-${path}`, object, undefined, layers),
    validate: await reviewCost(`/validate-${path}`, object, undefined, layers),
    validateUpdate: await reviewCost(`/validate-${path}`, object, { ...object, spec: { ...spec, suspend: true } }, layers),
    ...(kind === 'SparkApplication' && await applicationCosts(object, layers)),
    ...(kind === 'ScheduledSparkApplication' && await scheduleCosts(object)),
    ...(kind === 'SparkConnect' && await connectCosts(object, layers)),
  };
}

async function scheduleCosts(object: any): Promise<Costs> {
  let kept: any;
  const arrive = await cost(() => { kept = transformSchedule(object); });
  return { arrive, plan: await cost(() => planOf(kept, [], { now: Date.parse('2026-03-01T10:00:00Z') })) };
}

/** A server is planned from the whole object, unless it is too large. */
async function connectCosts(object: any, layers: Layers | undefined): Promise<Costs> {
  let kept: any;
  const arrive = await cost(() => { kept = transformConnect(object); });
  if (oversizedReason(kept) !== undefined) return { arrive };
  return { arrive, plan: await cost(unlessWrong('SparkConnect', object.spec, () => planConnect(object, { submission: { mode: 'native', sparkUser: 'spark' }, defaults: layers && { kind: 'ready', layers } }))) };
}

/** The pod with its own labels, by which the operator finds it. */
function merged(pod: any, { metadata, spec }: { metadata?: any; spec: any }): any {
  const labels = { ...metadata?.labels, ...pod.metadata.labels };
  const containers = [...pod.spec.containers, ...spec.containers ?? []];
  return { ...pod, metadata: { ...pod.metadata, ...metadata, labels }, spec: { ...pod.spec, ...spec, containers } };
}

async function reviewCost(path: string, object: any, oldObject: any, layers: Layers | undefined): Promise<number> {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
  const request = { uid: 'u', operation: oldObject ? 'UPDATE' : 'CREATE', kind: { group, version, kind: object.kind }, namespace: 'jobs', name: 'pi', object, oldObject, dryRun: false };
  const body = Buffer.from(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }));
  const handler = admissionHandlers(world(layers))[path]!;
  return cost(async () => {
    try {
      encodeAnswer('u', await handler(parseReview(body)));
    } catch (error) {
      if (!(error instanceof NotAReview)) throw error;
    }
  });
}

/** The first pass writes the intent and submits; the next one looks at what there is. */
async function applicationCosts(object: any, layers: Layers | undefined): Promise<Costs> {
  const calls = new Calls();
  calls.put('sparkapplications jobs/pi', object);
  const arrive = await cost(() => transform(object));
  const { reconcile, see } = operator(calls, layers && { defaults: { current: () => ({ kind: 'ready', layers }) } as any });
  const pass = unlessWrong('SparkApplication', object.spec, reconcile);
  const submit = await cost(pass);
  see();
  const follow = await cost(pass);
  const handler = admissionHandlers(world(layers, { ...object, status: { submissionID: 's', submissionAttempts: 1 } }))['/mutate--v1-pod']!;
  return { arrive, submit, follow, executor: await cost(() => handler(creation(plainPod('executor')))) };
}

function world(layers: Layers | undefined, application?: any): AdmissionDependencies {
  return {
    isSelected: () => true,
    submission: { mode: 'auto', sparkUser: 'spark', podWebhook: true },
    ...(layers && { defaults: { current: () => ({ kind: 'ready', layers }) } }),
    application: async () => application,
  };
}

/** The API server does not store objects of the wrong types: what becomes of them does not matter, but its cost does. */
function unlessWrong(kind: keyof typeof SCHEMAS, spec: unknown, work: () => unknown): () => Promise<void> {
  return async () => {
    try {
      await work();
    } catch (error) {
      if (!SubmissionError.is(error) && violations(SCHEMAS[kind], spec, 'spec').length === 0) throw error;
    }
  };
}

async function cost(work: () => unknown): Promise<number> {
  const took = cpuTime();
  await work();
  return took();
}
