/** A specification that is valid, or has one fault. */
export interface Case {
  readonly name: string;
  /** The complete specification. */
  readonly spec: any;
  /** Path of the rejected field; undefined if the specification is accepted. */
  readonly refused: string | undefined;
  /** Whether only synthesis rejects it, as a CRD cannot. */
  readonly onlyAtSynth?: boolean;
}

/** Required fields of a specification. */
export const MINIMAL = { type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} };

/** Returns an accepted case: `MINIMAL` with other fields. */
export function accepted(name: string, fields: object): Case {
  return { name, spec: { ...MINIMAL, ...fields }, refused: undefined };
}

/** Returns a rejected case: `MINIMAL` with other fields, one of which is the reason. */
export function refused(field: string, name: string, fields: object): Case {
  return { name, spec: { ...MINIMAL, ...fields }, refused: field };
}

/** Returns the same case for an API server that accepts it. */
export function onlyAtSynth(wrong: Case): Case {
  return { ...wrong, onlyAtSynth: true };
}

type Roles = readonly ('driver' | 'executor')[];
const BOTH: Roles = ['driver', 'executor'];

/** Returns accepted cases for driver and executor. */
export function acceptedPod(name: string, pod: object, others: object = {}): Case[] {
  return BOTH.map((role) => accepted(`${role}: ${name}`, { ...others, [role]: pod }));
}

/** Returns rejected cases for driver and executor, with one of the fields as the reason. */
export function refusedPod(field: string, name: string, pod: object, others: object = {}): Case[] {
  return BOTH.map((role) => refused(`spec.${role}.${field}`, `${role}: ${name}`, { ...others, [role]: pod }));
}
