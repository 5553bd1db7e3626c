import { refuseArguments } from '../props/_check';
import { wrongRange } from './_cidr';
import { wrongLabelName, wrongLabels } from '../props/_names';
import type { Violation } from '../model/problem';

/** Pods, by their labels and those of their namespace. */
export interface PodPeerProps {
  /**
   * Labels that the pods have.
   *
   * @default - all pods
   */
  readonly labels?: { [key: string]: string };

  /**
   * Labels that their namespaces have. `kubernetes.io/metadata.name` is the name of a namespace.
   *
   * @default - the namespace that the policy is for
   */
  readonly namespaceLabels?: { [key: string]: string };
}

/** Who may be reached, or may reach, as a NetworkPolicy says it. */
export class NetworkPeer {
  /** Whoever there is, within the cluster and outside. */
  public static anywhere(): NetworkPeer {
    return new NetworkPeer(undefined);
  }

  /** All pods of the cluster. */
  public static allPods(): NetworkPeer {
    return new NetworkPeer({ namespaceSelector: {} });
  }

  /** All pods of a namespace. */
  public static namespace(name: string): NetworkPeer {
    refuseArguments('NetworkPeer.namespace', [wrongLabelName('name', name)]);
    return new NetworkPeer({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
  }

  /** Pods with labels. */
  public static pods(props: PodPeerProps): NetworkPeer {
    refuseArguments('NetworkPeer.pods', [...wrongLabels('labels', props.labels), ...wrongLabels('namespaceLabels', props.namespaceLabels)]);
    return new NetworkPeer({
      podSelector: { ...(props.labels && { matchLabels: props.labels }) },
      ...(props.namespaceLabels && { namespaceSelector: { matchLabels: props.namespaceLabels } }),
    });
  }

  /**
   * Addresses outside of the cluster, such as `10.0.0.0/8`, or `192.0.2.1/32` for one.
   *
   * @param cidr the addresses
   * @param except ranges of them that are left out
   */
  public static addresses(cidr: string, except: string[] = []): NetworkPeer {
    refuseArguments('NetworkPeer.addresses', [wrongRange('cidr', cidr), ...except.map((part, index) => wrongRange(`except[${index}]`, part, cidr))]);
    return new NetworkPeer({ ipBlock: { cidr, ...(except.length > 0 && { except }) } });
  }

  private constructor(private readonly peer: object | undefined) {}

  /**
   * As a NetworkPolicy has it; undefined for everybody.
   *
   * @internal
   */
  public _toPeer(): object | undefined {
    return this.peer;
  }
}

/** A port, or a range of ports, as a NetworkPolicy says it: the pod's own, behind any Service. */
export class NetworkPort {
  /** A TCP port. */
  public static tcp(port: number): NetworkPort {
    refuseArguments('NetworkPort.tcp', [wrongPort('port', port)]);
    return new NetworkPort({ protocol: 'TCP', port });
  }

  /** A UDP port. */
  public static udp(port: number): NetworkPort {
    refuseArguments('NetworkPort.udp', [wrongPort('port', port)]);
    return new NetworkPort({ protocol: 'UDP', port });
  }

  /** All TCP ports from one to another, both included. */
  public static tcpRange(first: number, last: number): NetworkPort {
    const empty = last < first ? { path: 'last', value: last, reason: `is less than first: ${first}; write the lower port first` } : undefined;
    refuseArguments('NetworkPort.tcpRange', [wrongPort('first', first), wrongPort('last', last), empty]);
    return new NetworkPort({ protocol: 'TCP', port: first, endPort: last });
  }

  private constructor(private readonly port: object) {}

  /**
   * As a NetworkPolicy has it.
   *
   * @internal
   */
  public _toPort(): object {
    return this.port;
  }
}

/** Connections that are let through. */
export interface AllowedTraffic {
  /** At the other end: any of these. */
  readonly peers: NetworkPeer[];

  /**
   * To any of these ports.
   *
   * @default - all ports
   */
  readonly ports?: NetworkPort[];
}

function wrongPort(path: string, value: number): Violation | undefined {
  if (Number.isInteger(value) && value >= 1 && value <= 65535) return undefined;
  return { path, value, reason: 'must be a whole number from 1 to 65535' };
}
