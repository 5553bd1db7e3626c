import type { HostAlias } from '../../k8s';
import type { Concern } from './pod-template';

/** `hostAliases`: adds lines to /etc/hosts. Names of the same address share a line. */
export const hostAliases: Concern = (spec, request) => {
  const lines: Line[] = (spec.hostAliases ?? []).map(alias => ({ alias, names: new Set(alias.hostnames ?? []), isChanged: false }));
  const byAddress = new Map([...lines].reverse().map(line => [line.alias.ip, line]));
  const count = lines.length;
  for (const alias of request.spec.hostAliases ?? []) {
    const { ip, hostnames = [] } = alias;
    const line = byAddress.get(ip) ?? { alias, names: new Set(hostnames), isChanged: false };
    if (!byAddress.has(ip)) {
      byAddress.set(ip, line);
      lines.push(line);
    }
    const before = line.names.size;
    hostnames.forEach(name => line.names.add(name));
    line.isChanged ||= line.names.size > before;
  }
  const isSame = lines.length === count && lines.every(({ isChanged }) => !isChanged);
  return {
    spec: isSame ? spec : {
      ...spec, hostAliases: lines.map(({ alias, names, isChanged }) => (isChanged ? { ip: alias.ip, hostnames: [...names] } : alias)),
    },
  };
};

interface Line {
  readonly alias: HostAlias;
  readonly names: Set<string>;
  isChanged: boolean;
}
