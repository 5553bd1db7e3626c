/** One specification that is right, or wrong in one place. */
export interface Case {
  readonly name: string;
  /** The whole specification. */
  readonly spec: any;
  /** Path of the field that is refused; undefined if the specification is accepted. */
  readonly refused: string | undefined;
  /** Only synth refuses it, as a CRD cannot. */
  readonly onlyAtSynth?: boolean;
}

/** The least that a specification needs. */
export const MINIMAL = { type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} };

/** `MINIMAL` with other fields, which is accepted. */
export function accepted(name: string, fields: object): Case {
  return { name, spec: { ...MINIMAL, ...fields }, refused: undefined };
}

/** `MINIMAL` with other fields, which is refused because of one of them. */
export function refused(field: string, name: string, fields: object): Case {
  return { name, spec: { ...MINIMAL, ...fields }, refused: field };
}

/** The same case, that the API server accepts. */
export function onlyAtSynth(wrong: Case): Case {
  return { ...wrong, onlyAtSynth: true };
}

type Roles = readonly ('driver' | 'executor')[];
const BOTH: Roles = ['driver', 'executor'];

/** A driver and an executor that are accepted. */
export function acceptedPod(name: string, pod: object, others: object = {}): Case[] {
  return BOTH.map((role) => accepted(`${role}: ${name}`, { ...others, [role]: pod }));
}

/** A driver and an executor that are refused because of one of their fields. */
export function refusedPod(field: string, name: string, pod: object, others: object = {}): Case[] {
  return BOTH.map((role) => refused(`spec.${role}.${field}`, `${role}: ${name}`, { ...others, [role]: pod }));
}
