import { SubmissionError } from '../errors';
import type { MainApplication } from './main-application';

/** Maximum size of an argument in bytes, including its end (MAX_ARG_STRLEN of Linux). */
const MAX_ARGUMENT = 128 * 1024;

/**
 * Checks an argument of a program, for which Linux has the same limits in the driver and in
 * spark-submit (execve).
 *
 * @throws SubmissionError if no program can be started with it
 */
export function checkArgument(argument: string, field: string): void {
  if (argument.includes('\0')) {
    throw new SubmissionError({ field, reason: 'contains a NUL character', remedy: 'remove it' });
  }
  if (Buffer.byteLength(argument) >= MAX_ARGUMENT) {
    throw new SubmissionError({
      field, reason: 'is too long for a command line, which holds 128 KiB a word', remedy: 'move it into a file',
    });
  }
}

/**
 * Checks the arguments of the driver.
 *
 * @throws SubmissionError for the first with which no program can be started
 */
export function checkArguments({ resource, mainClass, proxyUser, arguments: args }: MainApplication): void {
  checkArgument(resource, 'spec.mainApplicationFile');
  checkArgument(mainClass ?? '', 'spec.mainClass');
  checkArgument(proxyUser ?? '', 'spec.proxyUser');
  args.forEach((argument, index) => checkArgument(argument, `spec.arguments[${index}]`));
}
