import type { Duplex } from 'node:stream';
import type { PortRange } from './port-range';
import type { KubeClient } from '../kube/client';
import type { Logger } from '../kube/logger';

/** Options of the console on this machine. */
export interface LocalConsoleOptions {
  readonly client: KubeClient;
  /** Makes a TCP connection to a port of a driver's pod; the signal gives it up. */
  readonly dial: (
    driver: { readonly namespace: string; readonly pod: string; readonly port: number }, signal: AbortSignal,
  ) => Promise<Duplex>;
  /** 0 for any that is free. */
  readonly port: number;
  /** Where the web UIs of drivers are served. @default - on any ports that are free */
  readonly sparkUiPorts?: PortRange;
  /**
   * The namespace to follow.
   * @default - all, if the user can list the applications of all; else `fallback`
   */
  readonly namespace?: string;
  readonly fallback: string;
  /** URL of the History Server, for links. @default - no links */
  readonly historyServer?: string;
  /** Name of the cluster. */
  readonly cluster: string;
  readonly version: string;
  readonly logger: Logger;
}

/** A console that runs. */
export interface LocalConsole {
  /** Address with a token: a person who has it can do all that the user can. */
  readonly url: string;
  /** The same, for once. */
  newUrl(): string;
  /** The namespace that is followed; undefined for all. */
  readonly namespace?: string;
  /** Whether the user can list its applications. */
  readonly canList: boolean;
  stop(): Promise<void>;
}

/**
 * Starts the console, which is a program of its own.
 *
 * @throws {Error} if the port cannot be listened on
 * @throws {ApiError} if the API server cannot be asked for the user's rights
 */
export type StartConsole = (options: LocalConsoleOptions) => Promise<LocalConsole>;
