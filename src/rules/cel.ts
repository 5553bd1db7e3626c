/**
 * CEL rules of no general form (see `holds`), in JavaScript. A test applies the same cases to the
 * API server and to this table, and fails if it lacks a rule of a CRD.
 * @internal
 */
export const RULES: Readonly<Record<string, (self: any) => boolean>> = {
  "self.size() <= 253 && self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')":
    (self: string) => self.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(self),
  '!has(self.nodeSelector) || self.nodeSelector.size() == 0 || ((!has(self.driver.nodeSelector) || self.driver.nodeSelector.size() == 0) && (!has(self.executor.nodeSelector) || self.executor.nodeSelector.size() == 0))':
    ({ nodeSelector, driver, executor }) => !hasEntries(nodeSelector)
      || (!hasEntries(driver.nodeSelector) && !hasEntries(executor.nodeSelector)),
  'has(self.driver.template) || !has(self.driver.volumeMounts) || sets.contains(has(self.volumes) ? self.volumes.map(volume, volume.name) : [], self.driver.volumeMounts.map(mount, mount.name))':
    ({ driver, volumes }) => mountsExist(driver, volumes),
  'has(self.executor.template) || !has(self.executor.volumeMounts) || sets.contains(has(self.volumes) ? self.volumes.map(volume, volume.name) : [], self.executor.volumeMounts.map(mount, mount.name))':
    ({ executor, volumes }) => mountsExist(executor, volumes),
  // Synthesis has no previous object.
  "oldSelf.hasValue() || !self.metadata.name.matches('^[0-9]|[.]') || (has(self.spec.server.service) && has(self.spec.server.service.metadata) && has(self.spec.server.service.metadata.name))":
    ({ metadata, spec }) => !/^[0-9]|[.]/.test(metadata.name) || spec.server.service?.metadata?.name !== undefined,
  'self.all(a, !has(a.ingressURLFormat) || self.exists_one(b, has(b.ingressURLFormat) && a.ingressURLFormat == b.ingressURLFormat))':
    (self: { ingressURLFormat?: string }[]) => isUnique(self.flatMap(({ ingressURLFormat }) => ingressURLFormat ?? [])),
};

function hasEntries(map: object | undefined): boolean {
  return Object.keys(map ?? {}).length > 0;
}

function mountsExist(
  { template, volumeMounts = [] }: { template?: unknown; volumeMounts?: { name: string }[] }, volumes: { name: string }[] = [],
): boolean {
  const names = new Set(volumes.map(({ name }) => name));
  return template !== undefined || volumeMounts.every(({ name }) => names.has(name));
}

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/** General forms of rules. */
const FORMS: readonly { readonly form: RegExp; holds(match: RegExpExecArray, self: any): boolean }[] = [
  { form: /^self\.matches\('([^']*)'\)$/, holds: ([, pattern], self) => new RegExp(pattern!).test(self) },
  { form: /^!\('([^']*)' in self\)$/, holds: ([, key], self) => !Object.prototype.hasOwnProperty.call(self, key!) },
  // Synthesis has no previous object.
  {
    form: /^oldSelf\.hasValue\(\) \|\| self\.metadata\.name\.size\(\) <= (\d+)$/,
    holds: ([, length], self) => self.metadata.name.length <= Number(length),
  },
  {
    form: /^self\.all\(a, self\.exists_one\(b, a\.(\w+) == b\.\1\)\)$/,
    holds: ([, name], self) => isUnique(self.map((item: any) => item[name!])),
  },
  {
    form: /^!has\(self\.enabled\) \|\| !self\.enabled \|\| !has\(self\.(\w+)\) \|\| !has\(self\.(\w+)\) \|\| self\.\1 <= self\.\2$/,
    holds: ([, lower, upper], self) => !self.enabled
      || self[lower!] === undefined || self[upper!] === undefined || self[lower!] <= self[upper!],
  },
  {
    form: /^!has\(self\.enabled\) \|\| !self\.enabled \|\| !has\(self\.(\w+)\) \|\| self\.\1 >= (\d+)$/,
    holds: ([, field, least], self) => !self.enabled || self[field!] === undefined || self[field!] >= Number(least),
  },
];

/** Whether a value satisfies a CEL rule of a CRD. @internal */
export function holds(rule: string, value: unknown): boolean {
  const known = RULES[rule];
  if (known) return known(value);
  for (const { form, holds: test } of FORMS) {
    const match = form.exec(rule);
    if (match) return test(match, value);
  }
  throw new Error(`the rule ${rule} is not known here: add it to RULES`);
}

/** Whether this module can evaluate a rule. @internal */
export function isKnown(rule: string): boolean {
  return RULES[rule] !== undefined || FORMS.some(({ form }) => form.test(rule));
}
