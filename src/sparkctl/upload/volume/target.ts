import { createReadStream } from 'node:fs';
import type { Cluster } from '../../cluster';
import { CommandError } from '../../errors';
import { ApiError, isNotFound, NetworkError, toError } from '../../../kube/errors';
import { PERSISTENT_VOLUME_CLAIMS, PODS } from '../../../operator/resources';
import type { Pod } from '../../../operator/kubernetes-objects';
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

  const start = async (signal: AbortSignal) => {
    const { cluster, ref } = await find();
    const { client } = cluster;
    const { namespace } = ref;
    if (imageOf(spec) === undefined) throw new CommandError('spec.image is missing, which the pod for the upload would have, too: name one');
    await client.get(PERSISTENT_VOLUME_CLAIMS, { namespace, name: claim }, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) throw new CommandError(`there is no PersistentVolumeClaim ${claim} in the namespace ${namespace}; create it, or name another one in --upload-to`);
      throw error;
    });
    await client.create(PODS, uploadPod({ ...ref, claim, spec }) as Pod, { signal });
    await untilRunning(cluster, ref, startTimeout, signal);
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
      if (!running) return;
      const { cluster: { client }, ref } = await find();
      // Also if it could not be seen whether it was created.
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

/** Waits until the pod runs. */
async function untilRunning({ client }: Cluster, { namespace, name }: { readonly namespace: string; readonly name: string }, timeout: number, signal: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(timeout);
  const enough = new AbortController();
  const either = AbortSignal.any([signal, late, enough.signal]);
  const fieldSelector = `metadata.name=${name}`;
  let reason: string | undefined;
  const isRunning = (pod: Pod): boolean => {
    const progress = progressOf(pod);
    if (progress.kind === 'failed') throw new CommandError(`the pod for the upload, ${namespace}/${name}, does not run: ${progress.reason}`);
    if (progress.kind === 'waiting') ({ reason } = progress);
    return progress.kind === 'running';
  };
  for (;;) {
    try {
      const { items: [pod], metadata: { resourceVersion } } = await client.listPage(PODS, { namespace, fieldSelector, signal: either });
      if (!pod) throw new CommandError(`the pod for the upload, ${namespace}/${name}, was deleted by somebody else; try again`);
      if (isRunning(pod)) return;
      let isFound = false;
      await client.watch(PODS, { namespace, fieldSelector, resourceVersion, timeoutSeconds: 60, signal: either }, ({ type, object }) => {
        if (type === 'BOOKMARK' || type === 'DELETED' || !isRunning(object)) return;
        isFound = true;
        enough.abort();
      }).catch((error: unknown) => {
        if (!isFound) throw error;
      });
      if (isFound) return;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (late.aborted) throw new CommandError(`the pod for the upload, ${namespace}/${name}, did not run within ${timeout / 1_000} s${reason === undefined ? '' : `: ${reason}`}`);
      if (error instanceof CommandError || error instanceof ApiError) throw error;
      // A watch that was lost is begun again.
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
