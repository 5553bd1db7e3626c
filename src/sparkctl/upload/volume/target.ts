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

/** Claim and folder for uploads. */
export interface VolumePlace {
  readonly claim: string;
  /** Folder, without leading and trailing slashes. Can be empty. */
  readonly folder: string;
}

/** Settings and dependencies of uploads to a volume. */
export interface VolumeOptions {
  /** Connects to the cluster; called when the first file is sent. */
  readonly connect: () => Promise<Cluster>;
  /** Namespace of the application, and so of the claim. @default - that of the cluster */
  readonly namespace?: string;
  /** The specification of the application. */
  readonly spec: object;
  /** Letters and digits that make the name of the pod unique. */
  readonly suffix: string;
  /** Milliseconds in which the pod must start. */
  readonly startTimeout: number;
}

/** Maximum attempts to send a file to a pod. */
const ATTEMPTS = 3;

/**
 * Creates the target for a volume, from which applications read as from a local disk. During the
 * uploads a pod mounts the claim; files are sent as `kubectl exec` does. A file is written under a
 * temporary name, verified by its hash, and then renamed, so that a partial file is never visible.
 */
export function volumeTarget(
  { claim, folder }: VolumePlace, { connect, namespace: given, spec, suffix, startTimeout }: VolumeOptions,
): UploadTarget {
  const name = `sparkctl-upload-${suffix}`;
  const find = async () => {
    const cluster = await connect();
    return { cluster, ref: { namespace: given ?? cluster.namespace, name } };
  };
  let running: Promise<void> | undefined;
  let podCanExist = false;

  const start = async (signal: AbortSignal) => {
    const { cluster, ref } = await find();
    const { client } = cluster;
    const { namespace } = ref;
    if (imageOf(spec) === undefined) throw new CommandError('spec.image is missing, which the pod for the upload also uses: set it');
    await client.get(PERSISTENT_VOLUME_CLAIMS, { namespace, name: claim }, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) {
        throw new CommandError(
          `there is no PersistentVolumeClaim ${claim} in the namespace ${namespace}; create it, or name another one in --upload-to`,
        );
      }
      throw error;
    });
    podCanExist = true;
    const { metadata: { uid } } = await client.create(
      PODS, uploadPod({ ...ref, claim, spec }) as Pod, { signal },
    ).catch((error: unknown) => {
      // Without an answer, the pod can exist.
      if (error instanceof ApiError && !isTransient(error)) podCanExist = false;
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
      if (!podCanExist) return;
      const { cluster: { client }, ref } = await find();
      await client.delete(PODS, ref, { gracePeriodSeconds: 0, propagationPolicy: 'Background' }).catch((error: unknown) => {
        if (!isNotFound(error)) {
          throw new CommandError(
            `the pod ${ref.namespace}/${name}, which the upload used, could not be deleted: ${toError(error).message}; `
              + `delete it with \`kubectl delete pod ${name} -n ${ref.namespace}\``,
          );
        }
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
    const said = stderr.trim().split('\n').at(-1) || failure || 'unknown reason';
    const advice = /permission denied|read-only/i.test(said)
      ? '; the volume must be writable for the user of the image: set spec.driver.podSecurityContext.fsGroup '
        + '(spark-submit: securityContext.fsGroup in the file of spark.kubernetes.driver.podTemplateFile), or for a volume that ignores it, '
        + 'such as hostPath or NFS, the permissions of its folder'
      : /no space/i.test(said)
        ? '; make room on the volume'
        : '';
    throw new CommandError(`${content.path} could not be written to the volume of ${claim}: ${said}${advice}`);
  }
}

/** Waits until the pod runs. @param ref name and uid of the pod */
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
    if (late.aborted && !signal.aborted) {
      throw new CommandError(`${title} did not run within ${timeout / 1_000} s${reason === undefined ? '' : `: ${reason}`}`);
    }
    throw error;
  }
  throw new CommandError(`${title} was deleted by another client; try again`);
}
