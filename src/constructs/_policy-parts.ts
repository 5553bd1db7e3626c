/**
 * Named part of an expression.
 * @internal
 */
export interface Variable {
  readonly name: string;
  readonly expression: string;
}

/**
 * Rule of a policy. Messages have the form of the operator's: path, value, reason, remedy.
 * @internal
 */
export interface Validation {
  readonly expression: string;
  /** Message if `messageExpression` fails, for example because a value contains line breaks. */
  readonly message: string;
  readonly messageExpression: string;
  /** Makes the API server answer 422 for an invalid object. */
  readonly reason: 'Invalid';
}

/** End of the remedy for a value that a namespace does not allow. */
const REMEDY = ', or ask who looks after the namespace';

/**
 * Name of a limit, and an expression for its text.
 * @internal
 */
export interface WrittenLimit {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the limit in an annotation of the namespace; `variables.annotations` are these.
 * @internal
 */
export function limitOf(annotation: string): WrittenLimit {
  return { name: annotation, text: `variables.annotations['${annotation}']` };
}

/**
 * Returns an expression for a list that is empty if the namespace does not have this annotation.
 * @internal
 */
export function hasLimit(annotation: string, list: string): string {
  return `(!('${annotation}' in variables.annotations) ? [] : ${list})`;
}

/**
 * Returns an expression for whether a variable is an empty list.
 * @internal
 */
export function isEmpty(variable: string): string {
  return `variables.${variable}.size() == 0`;
}

/**
 * Returns the rule that values are allowed by a limit.
 *
 * @param expression whether they are
 * @param wrong an expression for `field` and `value` of the first that is not
 * @param subject the value in a message
 * @param remedy the remedy
 * @internal
 */
export function limitValidation(
  expression: string, wrong: string, subject: string, { name, text }: WrittenLimit, remedy: string,
): Validation {
  return {
    expression,
    message: `${subject} is not among those that the namespace allows (${name}); ${remedy}${REMEDY}`,
    messageExpression: sentence(
      `${wrong}.field + ' = "' + ${cut(`string(${wrong}.value)`, 300)} + '"`,
      `is not among what namespace ' + request.namespace + ' allows (${name}: ' + ${cut(text, 1000)} + ')`,
      `${remedy}${REMEDY}`,
    ),
    reason: 'Invalid',
  };
}

/**
 * Returns an expression for a truncated text in a message: the API server drops messages of more
 * than 5 KiB.
 */
function cut(text: string, length: number): string {
  return `(${text}.size() > ${length} ? ${text}.substring(0, ${length}) + '…' : ${text})`;
}

/**
 * Returns an expression for a message. The last part of `subject` and both other arguments are
 * within quotes.
 * @internal
 */
export function sentence(subject: string, reason: string, remedy: string): string {
  return `${subject} ${reason}; ${remedy}'`;
}
