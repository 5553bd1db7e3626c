import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Cluster } from '../cluster';
import type { Context } from '../command';
import { printable } from '../../text/printable';
import { bytesText, uploadDisplay } from '../upload/progress';
import { contentOf, type Content } from '../upload/content';
import { localFilesOf, rewritten, type FilesInSpec } from '../upload/local-files';
import { googleToken } from '../upload/gcs/credentials';
import { gcsTarget } from '../upload/gcs/target';
import type { UploadPlace } from '../upload/place';
import { s3Credentials } from '../upload/s3/credentials';
import { s3Target } from '../upload/s3/target';
import type { UploadTarget } from '../upload/target';
import { volumeTarget } from '../upload/volume/target';
import { toError } from '../../kube/errors';

/** Milliseconds in which the upload pod must start; its image might have to be pulled. */
const START_TIMEOUT = 300_000;

/** Settings of uploads. */
export interface UploadSettings {
  readonly place: UploadPlace;
  readonly region?: string;
  readonly endpoint?: string;
  /** Connects to the cluster; called when a file is sent that needs it. */
  readonly connect: () => Promise<Cluster>;
  /** Generates a unique suffix of letters and digits. */
  readonly suffix: () => string;
}

/** Planned uploads of one application. Nothing is sent before `send` is called. */
export interface PlannedUploads {
  /**
   * Specification with URIs in place of the files, and with the settings that reading them needs.
   */
  readonly spec: object;
  /** Warning for the user. @default - none */
  readonly advice?: string;
  /** Sends the files. */
  send(): Promise<void>;
}

/**
 * Creates the uploader for the files of applications, which share its connections. Credentials are
 * read for the first file.
 */
export function uploader(
  settings: UploadSettings, { io, terminal, now, signal }: Pick<Context, 'io' | 'terminal' | 'now' | 'signal'>,
) {
  let targetFor: ReturnType<typeof targets> | undefined;

  /**
   * Reads the local files that a specification names, if any.
   *
   * @param namespace namespace of the application @default - that of the cluster
   * @throws {CommandError} if one cannot be read
   */
  return async (spec: object, namespace: string | undefined): Promise<PlannedUploads | undefined> => {
    const files = localFilesOf(spec as FilesInSpec);
    if (files.length === 0) return undefined;
    const contents = new Map<string, Content>();
    for (const { path } of files) {
      if (!contents.has(path)) contents.set(path, await contentOf(path, signal));
    }
    const target = (await (targetFor ??= targets(settings)))(spec, namespace);
    const uris = new Map(files.map(({ field, path, fragment }) => [field, `${target.uriOf(contents.get(path)!)}${fragment}`]));
    return {
      spec: target.adapted(rewritten(spec as FilesInSpec, uris)),
      advice: target.adviceFor(spec),
      async send() {
        try {
          for (const content of contents.values()) {
            await sendOne(target, content, uris.get(files.find(({ path }) => path === content.path)!.field)!);
          }
        } catch (error) {
          // The first error is thrown; a later one is only printed.
          await target.close().catch((another: unknown) => io.stderr(printable(`${toError(another).message}\n`)));
          throw error;
        }
        await target.close();
      },
    };
  };

  async function sendOne(target: UploadTarget, content: Content, uri: string): Promise<void> {
    const display = uploadDisplay(content.path, content.size, io, terminal, now);
    try {
      const outcome = await target.upload(content, display.sent, signal);
      display.end(outcome === 'present'
        ? `${content.path} already exists: ${uri}`
        : `${content.path} uploaded (${bytesText(content.size)}): ${uri}`);
    } catch (error) {
      display.end();
      throw error;
    }
  }
}

/** Credential sources of the user. */
const SOURCES = {
  environment: process.env,
  home: homedir(),
  readFile: (path: string) => readFile(path, 'utf8').catch(() => undefined),
} as const;

/** Finds the credentials. @returns the target for each application */
async function targets(
  { place, region, endpoint, connect, suffix }: UploadSettings,
): Promise<(spec: object, namespace: string | undefined) => UploadTarget> {
  switch (place.kind) {
    case 's3': {
      const credentials = await s3Credentials(SOURCES, { region, endpoint });
      return () => s3Target(place, credentials);
    }
    case 'gcs': {
      const token = await googleToken(SOURCES, { fetch, now: Date.now });
      return () => gcsTarget(place, { token, emulator: SOURCES.environment.STORAGE_EMULATOR_HOST });
    }
    case 'volume': return (spec, namespace) => volumeTarget(place, {
      connect, namespace, spec, suffix: suffix(), startTimeout: START_TIMEOUT,
    });
  }
}
