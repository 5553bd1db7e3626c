/**
 * A name for a part of an expression.
 * @internal
 */
export interface Variable {
  readonly name: string;
  readonly expression: string;
}

/**
 * A rule. Messages have the form of those of the operator: where, what, why, what to write instead.
 * @internal
 */
export interface Validation {
  readonly expression: string;
  /** The message if `messageExpression` has no value, for example because a value has line breaks. */
  readonly message: string;
  readonly messageExpression: string;
  /** Makes the answer a 422: the object is wrong. */
  readonly reason: 'Invalid';
}

/**
 * The end of what to do about something that a namespace does not allow.
 * @internal
 */
export const REMEDY = ', or ask who looks after the namespace';

/**
 * The name of a limit, and an expression for its text.
 * @internal
 */
export interface WrittenLimit {
  readonly name: string;
  readonly text: string;
}

/**
 * The limit that is in an annotation of the namespace; `variables.annotations` are these.
 * @internal
 */
export function limitOf(annotation: string): WrittenLimit {
  return { name: annotation, text: `variables.annotations['${annotation}']` };
}

/**
 * An expression for the message about a value that is not among those of a limit.
 *
 * @param wrong an expression for `field` and `value`
 * @param remedy what to do about it
 * @internal
 */
export function refusal(wrong: string, { name, text }: WrittenLimit, remedy: string): string {
  return sentence(
    `${wrong}.field + ' = "' + ${cut(`string(${wrong}.value)`, 300)} + '"`,
    `is not among what namespace ' + request.namespace + ' allows (${name}: ' + ${cut(text, 1000)} + ')`,
    `${remedy}${REMEDY}`,
  );
}

/**
 * An expression for a text in a message. The API server takes 5 KiB; it leaves out a longer message.
 * @internal
 */
export function cut(text: string, length: number): string {
  return `(${text}.size() > ${length} ? ${text}.substring(0, ${length}) + '…' : ${text})`;
}

/**
 * An expression for a message. The last part of `subject` and both of the others are within quotes.
 * @internal
 */
export function sentence(subject: string, reason: string, remedy: string): string {
  return `${subject} ${reason}; ${remedy}'`;
}
