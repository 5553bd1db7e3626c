import { createReadStream } from 'node:fs';
import type { Cluster } from '../../cluster';
import { CommandError } from '../../errors';
import type { ObjectRef } from '../../../model/actions/actions';
import { followOne } from '../../../model/actions/follow';
import { ApiError, isNotFound, isTransient, NetworkError, toError } from '../../../kube/errors';
import { PERSISTENT_VOLUME_CLAIMS, PODS } from '../../../model/resources';
import type { Pod } from '../../../model/kubernetes-objects';
import { escapedPath, placeOf, type Content } from '../content';
import type { UploadTarget } from '../target';
import { execute } from './exec';
import { mountPathOf, withMounts } from './mount';
import { CONTAINER, imageOf, MOUNT, progressOf, uploadPod } from './pod';
import { BEGIN, PRESENT, STORE, STORED } from './store';

/** Where on a volume files are put. */
export interface VolumePlace {
  readonly claim: string;
  /** The folder, without slashes around it. May be empty. */
  readonly folder: string;
}

/** What an upload to a volume needs. */
export interface VolumeOptions {
  /** Called when something is sent, and not before. */
  readonly connect: () => Promise<Cluster>;
  /** Namespace of the application, and so of the claim. @default - that of the cluster */
  readonly namespace?: string;
  /** The specification of the application. */
  readonly spec: object;
  /** Letters and digits that make the name of the pod one of its own. */
  readonly suffix: string;
  /** Milliseconds until the pod has to run. */
  readonly startTimeout: number;
}

/** So often a file is sent to a pod. */
const ATTEMPTS = 3;

/**
 * Uploads to a volume, from which applications read as from their own disk: into a pod that mounts the claim for the time of the uploads, over the connection by which `kubectl exec` works. A file is written
 * beside its place, compared by its hash, and then moved there, so that nobody ever sees a part of one.
 */
export function volumeTarget({ claim, folder }: VolumePlace, { connect, namespace: given, spec, suffix, startTimeout }: VolumeOptions): UploadTarget {
  const name = `sparkctl-upload-${suffix}`;
  const find = async () => {
    const cluster = await connect();
    return { cluster, ref: { namespace: given ?? cluster.namespace, name } };
  };
  let running: Promise<void> | undefined;
  let mayBeThere = false;

  const start = async (signal: AbortSignal) => {
    const { cluster, ref } = await find();
    const { client } = cluster;
    const { namespace } = ref;
    if (imageOf(spec) === undefined) throw new CommandError('spec.image is missing, which the pod for the upload would have, too: name one');
    await client.get(PERSISTENT_VOLUME_CLAIMS, { namespace, name: claim }, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) throw new CommandError(`there is no PersistentVolumeClaim ${claim} in the namespace ${namespace}; create it, or name another one in --upload-to`);
      throw error;
    });
    mayBeThere = true;
    const { metadata: { uid } } = await client.create(PODS, uploadPod({ ...ref, claim, spec }) as Pod, { signal }).catch((error: unknown) => {
      // Without an answer it is not known whether it was created.
      if (error instanceof ApiError && !isTransient(error)) mayBeThere = false;
      throw error;
    });
    await untilRunning(cluster, { ...ref, uid }, startTimeout, signal);
  };

  return {
    uriOf: (content) => `local://${escapedPath(`${mountPathOf(claim, spec)}/${placeOf(content, folder)}`)}`,
    adapted: (specification) => withMounts(claim, specification),
    adviceFor: () => undefined,
    async upload(content, onSent, signal) {
      await (running ??= start(signal));
      for (let attempt = 1; ; attempt++) {
        try {
          return await store(content, onSent, signal);
        } catch (error) {
          if (signal.aborted || !(error instanceof NetworkError) || attempt >= ATTEMPTS) throw error;
        }
      }
    },
    async close() {
      if (!mayBeThere) return;
      const { cluster: { client }, ref } = await find();
      await client.delete(PODS, ref, { gracePeriodSeconds: 0, propagationPolicy: 'Background' }).catch((error: unknown) => {
        if (!isNotFound(error)) throw new CommandError(`the pod ${ref.namespace}/${name}, which was there for the upload, could not be removed: ${toError(error).message}; remove it with \`kubectl delete pod ${name} -n ${ref.namespace}\``);
      });
    },
  };

  async function store(content: Content, onSent: (bytes: number) => void, signal: AbortSignal): Promise<'uploaded' | 'present'> {
    const { cluster: { connection }, ref } = await find();
    const place = `${MOUNT}/${placeOf(content, folder)}`;
    const { stdout, stderr, failure } = await execute(connection, ref, {
      container: CONTAINER,
      command: ['sh', '-c', STORE, 'sh', place, String(content.size), content.sha256],
      input: { begin: BEGIN, open: () => createReadStream(content.path, { end: Math.max(0, content.size - 1) }), onSent },
      signal,
    });
    const lines = stdout.split('\n');
    if (failure === undefined && (lines.includes(PRESENT) || lines.includes(STORED))) {
      onSent(content.size);
      return lines.includes(PRESENT) ? 'present' : 'uploaded';
    }
    const said = stderr.trim().split('\n').at(-1) || failure || 'nothing was said about it';
    const advice = /permission denied|read-only/i.test(said) ? '; the volume has to be writable for the user of the image: set spec.driver.podSecurityContext.fsGroup' : /no space/i.test(said) ? '; make room on the volume' : '';
    throw new CommandError(`${content.path} could not be written to the volume of ${claim}: ${said}${advice}`);
  }
}

/** Waits until the pod runs. @param ref with its uid */
async function untilRunning({ client }: Cluster, ref: ObjectRef, timeout: number, signal: AbortSignal): Promise<void> {
  const title = `the pod for the upload, ${ref.namespace}/${ref.name},`;
  const late = AbortSignal.timeout(timeout);
  let reason: string | undefined;
  try {
    for await (const { object, isGone } of followOne(client, PODS, ref, { signal: AbortSignal.any([signal, late]) })) {
      if (isGone) break;
      const progress = progressOf(object);
      if (progress.kind === 'running') return;
      if (progress.kind === 'failed') throw new CommandError(`${title} does not run: ${progress.reason}`);
      ({ reason } = progress);
    }
  } catch (error) {
    if (late.aborted && !signal.aborted) throw new CommandError(`${title} did not run within ${timeout / 1_000} s${reason === undefined ? '' : `: ${reason}`}`);
    throw error;
  }
  throw new CommandError(`${title} was deleted by somebody else; try again`);
}
