import type { HostAlias } from '../../k8s';
import type { Concern } from './pod-template';

/** `hostAliases`: lines of /etc/hosts besides the template's. Names of the same address stand in one line. */
export const hostAliases: Concern = (spec, request) => {
  const present = spec.hostAliases ?? [];
  const result = (request.spec.hostAliases ?? []).reduce<readonly HostAlias[]>(withAlias, present);
  return { spec: result === present ? spec : { ...spec, hostAliases: [...result] } };
};

function withAlias(aliases: readonly HostAlias[], { ip, hostnames = [] }: HostAlias): readonly HostAlias[] {
  const index = aliases.findIndex(alias => alias.ip === ip);
  if (index < 0) {
    return [...aliases, { ip, hostnames: [...new Set(hostnames)] }];
  }
  const before = aliases[index]!.hostnames ?? [];
  const added = hostnames.filter(name => !before.includes(name));
  return added.length === 0 ? aliases : aliases.with(index, { ip, hostnames: [...new Set([...before, ...added])] });
}
