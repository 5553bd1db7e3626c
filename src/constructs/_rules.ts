/**
 * CEL rules other than `self.matches('…')`, which is understood as it is, in JavaScript.
 * A test feeds the same cases to the API server and to this table, and fails when a rule of a CRD is missing here.
 * @internal
 */
export const RULES: Readonly<Record<string, (self: any) => boolean>> = {
  "self.size() <= 253 && self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')":
    (self: string) => self.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(self),
  "self.matches('^(0|[1-9][0-9]*)?([.][0-9]+)?$') && self != ''":
    (self: string) => /^(0|[1-9][0-9]*)?([.][0-9]+)?$/.test(self) && self !== '',
  '!has(self.minExecutors) || !has(self.maxExecutors) || self.minExecutors <= self.maxExecutors':
    (self) => self.minExecutors === undefined || self.maxExecutors === undefined || self.minExecutors <= self.maxExecutors,
};

/**
 * Whether a value keeps a CEL rule of a CRD.
 * @internal
 */
export function holds(rule: string, value: unknown): boolean {
  const known = RULES[rule];
  if (known) return known(value);
  const pattern = patternOf(rule);
  if (pattern === undefined) throw new Error(`the rule ${rule} is not known here: add it to RULES`);
  return new RegExp(pattern).test(value as string);
}

/**
 * The regular expression of a rule that is nothing but `self.matches('…')`; undefined for other rules.
 * @internal
 */
export function patternOf(rule: string): string | undefined {
  return /^self\.matches\('([^']*)'\)$/.exec(rule)?.[1];
}
