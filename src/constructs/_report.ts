import { Construct } from 'constructs';
import { watchValidations } from './_app';
import { inLanguage } from './_language';
import { isRejectedAtSynth, problemText, type Problem } from '../model/problem';

/**
 * Reports problems of a construct when the app is synthesized: those of all constructs at once, and
 * before a file is written. Warnings are printed to stderr, once each.
 *
 * @param find returns the problems; called several times for a synthesis
 * @param isStrict returns whether warnings are errors, too
 * @internal
 */
export function reportAtSynth(construct: Construct, find: () => readonly Problem[], isStrict = () => false): void {
  watchValidations(construct);
  const printed = new Set<string>();
  const text = (problem: Problem) => problemText(inLanguage(problem));
  const isRejected = (problem: Problem) => isStrict() || isRejectedAtSynth(problem);
  construct.node.addValidation({
    validate: () => {
      const problems = find();
      for (const warning of problems.filter((problem) => !isRejected(problem)).map(text)) {
        if (!printed.has(warning)) process.stderr.write(`warning: [${construct.node.path}] ${warning}\n`);
        printed.add(warning);
      }
      return problems.filter(isRejected).map(text);
    },
  });
}
