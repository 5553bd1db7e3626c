import { rejectArguments } from '../props/_check';
import { checkArguments, number, text, texts } from '../props/_prop-types';
import { wrongRange } from './_cidr';
import { wrongLabels } from '../rules/metadata';
import { wrongLabelName } from '../rules/names';
import type { Problem } from '../model/problem';

/** Pods, selected by their labels and those of their namespace. */
export interface PodPeerProps {
  /**
   * Labels of the pods.
   *
   * @default - all pods
   */
  readonly labels?: { [key: string]: string };

  /**
   * Labels of their namespaces. `kubernetes.io/metadata.name` is the name of a namespace.
   *
   * @default - the namespace of the policy
   */
  readonly namespaceLabels?: { [key: string]: string };
}

/** Source or destination of network traffic, as in a NetworkPolicy. */
export class NetworkPeer {
  /** All sources or destinations, in the cluster and outside. */
  public static anywhere(): NetworkPeer {
    return new NetworkPeer(undefined);
  }

  /** All pods of the cluster. */
  public static allPods(): NetworkPeer {
    return new NetworkPeer({ namespaceSelector: {} });
  }

  /** All pods of a namespace. */
  public static namespace(name: string): NetworkPeer {
    checkArguments('NetworkPeer.namespace', { name }, { name: text });
    rejectArguments('NetworkPeer.namespace', [wrongLabelName('name', name)]);
    return new NetworkPeer({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
  }

  /** Pods with labels. */
  public static pods(props: PodPeerProps): NetworkPeer {
    props = checkArguments('NetworkPeer.pods', { props }, { props: { labels: texts, namespaceLabels: texts } }).props;
    rejectArguments('NetworkPeer.pods', [...wrongLabels('labels', props.labels), ...wrongLabels('namespaceLabels', props.namespaceLabels)]);
    return new NetworkPeer({
      podSelector: { ...(props.labels && { matchLabels: props.labels }) },
      ...(props.namespaceLabels && { namespaceSelector: { matchLabels: props.namespaceLabels } }),
    });
  }

  /**
   * Addresses outside the cluster, such as `10.0.0.0/8`, or `192.0.2.1/32` for one.
   *
   * @param cidr range of addresses
   * @param except ranges within `cidr` that are excluded
   */
  public static addresses(cidr: string, except: string[] = []): NetworkPeer {
    const { except: excluded } = checkArguments('NetworkPeer.addresses', { cidr, except }, { cidr: text, except: [text] });
    rejectArguments('NetworkPeer.addresses', [
      wrongRange('cidr', cidr), ...excluded.map((part, index) => wrongRange(`except[${index}]`, part, cidr)),
    ]);
    return new NetworkPeer({ ipBlock: { cidr, ...(excluded.length > 0 && { except: excluded }) } });
  }

  private constructor(private readonly peer: object | undefined) {}

  /**
   * Returns the peer of a NetworkPolicy; undefined for all peers.
   *
   * @internal
   */
  public _toPeer(): object | undefined {
    return this.peer;
  }
}

/** A port, or a range of ports, as in a NetworkPolicy: the port of the pod, not of a Service. */
export class NetworkPort {
  /** A TCP port. */
  public static tcp(port: number): NetworkPort {
    rejectArguments('NetworkPort.tcp', [wrongPort('port', port)]);
    return new NetworkPort({ protocol: 'TCP', port });
  }

  /** A UDP port. */
  public static udp(port: number): NetworkPort {
    rejectArguments('NetworkPort.udp', [wrongPort('port', port)]);
    return new NetworkPort({ protocol: 'UDP', port });
  }

  /** All TCP ports from one to another, both included. */
  public static tcpRange(first: number, last: number): NetworkPort {
    checkArguments('NetworkPort.tcpRange', { first, last }, { first: number, last: number });
    const empty = last < first ? {
      path: 'last', value: last, reason: `is less than first: ${first}; write the lower port first`,
    } : undefined;
    rejectArguments('NetworkPort.tcpRange', [wrongPort('first', first), wrongPort('last', last), empty]);
    return new NetworkPort({ protocol: 'TCP', port: first, endPort: last });
  }

  private constructor(private readonly port: object) {}

  /**
   * Returns the port of a NetworkPolicy.
   *
   * @internal
   */
  public _toPort(): object {
    return this.port;
  }
}

/** Allowed connections. */
export interface AllowedTraffic {
  /** Peers at the other end: any of these. */
  readonly peers: NetworkPeer[];

  /**
   * Allowed ports.
   *
   * @default - all ports
   */
  readonly ports?: NetworkPort[];
}

function wrongPort(path: string, value: number): Problem | undefined {
  if (Number.isInteger(value) && value >= 1 && value <= 65535) return undefined;
  return { path, value, reason: 'must be a whole number from 1 to 65535' };
}
