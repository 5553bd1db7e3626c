import type { Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { SingleFlightCache } from '../../kube/single-flight-cache';
import { NODES, readNodes, type Node } from '../../model/nodes';

/** Milliseconds for which a list is used: a cluster can have thousands, and open pages poll. */
const AGE = 60_000;

/** Reads the nodes of the cluster, at most once a minute for all viewers. */
export class NodeReader {
  private readonly cache: SingleFlightCache<readonly Node[] | undefined>;

  constructor(private readonly client: KubeClient, clock: Clock) {
    this.cache = new SingleFlightCache({ age: AGE, limit: 1, clock });
  }

  /**
   * Returns the fields of nodes that decide whether a pod fits; undefined if the viewer or the
   * console lacks the permission, which few have.
   *
   * @param signal ends the wait
   */
  async read(viewer: Viewer, signal: AbortSignal): Promise<readonly Node[] | undefined> {
    if (!await viewer.may({ verb: 'list', group: NODES.group, resource: NODES.plural })) return undefined;
    return this.cache.get('', (shared) => readNodes(this.client, shared), signal);
  }
}
