import { RULES } from '../../../tools/lint/rules';

/** Texts that each rule finds, and similar ones that it accepts, in the order of the rules. */
const EXAMPLES: readonly (readonly [found: readonly string[], accepted: readonly string[]])[] = [
  [['A user is told why', 'The status tells that it waits'], ['The status reports that it waits']], // words: ok
  [['The status says less', 'a field said so', 'The uid tells two pods apart'], ['The status is less specific']], // words: ok
  [['The run goes on.'], ['The run continues.', 'These flags go only to drivers.']], // words: ok
  [['Its reason stands in the status.'], ['The fake stands in for a cluster.']], // words: ok
  [['the driver of before', 'Like the one before'], ['the previous driver', 'before the next one']], // words: ok
  [['Its Pod is looked at again.', 'until they are looked at'], ['The operator reconciles it again.']], // words: ok
  [['It looks at the Pod', 'event logs, looked at once a day', 'Look again later'], ['Values are looked up by name']], // words: ok
  [['Nobody reads it', 'whoever changes it'], ['the container runs as user 65534', "HOME: '/home/nobody'"]], // words: ok
  [['Nothing exists besides its pods'], ['Nothing exists beside its pods']], // words: ok
  [['It runs all the same.'], ['It still runs all of them.']], // words: ok
  [['This comes about by an edit.'], ['It comes with an edit about memory.']], // words: ok
  [['The driver is taken up.'], ['The driver is adopted.', 'It takes 20 MiB.']], // words: ok
  [['With an owner as such, there is no orphan'], ['With an owner, Kubernetes deletes it', 'By default, it is off']], // words: ok
  [['Of a new application, there is no status', 'Waits. Of pods without a node, the names are kept'], ['A list of pods, the newest first']], // words: ok
  [['Of runs that were due, the latest one starts'], ['Kinds of runs, such as retries', 'Often, it is due']], // words: ok
  [['What is enforced wins.', 'Waits. Who takes them away is reported', 'What `spec` has is kept'], ['What is a driver?', 'What to do', 'It depends on what is enforced']], // words: ok
  [['what the server needs is being created', 'emptied: what it had is put back'], ['what apply would change', 'Shows what the server needs']], // words: ok
  [['It may not end'], ['It cannot end']], // words: ok
  [['It may be unreachable'], ['It might be unreachable', 'until May 2026']], // words: ok
  [['Sidecars do not count.', 'This does not count as a failure'], ['Quotas do not count the pods']], // words: ok
  [['A setting counts wherever it is written', 'An executor counts once'], ['The operator counts retries', 'It counts as failed', 'counts of pods']], // words: ok
  [['since the begin of the attempt', "the attempt's begin"], ['names that begin with `spark`']], // words: ok
  [['The operator mends its Service'], ['The operator repairs its Service', 'It recommends two replicas']], // words: ok
  [['Service a cannot be made', 'all is made anew'], ['It is made of two parts']], // words: ok
];

test('each rule has examples', () => expect(EXAMPLES).toHaveLength(RULES.length));

test.each(EXAMPLES.map(([found, accepted], index) => ({ rule: RULES[index]!, found, accepted })))('$rule.pattern', ({ rule, found, accepted }) => {
  expect(found.filter((text) => !rule.pattern.test(text))).toEqual([]);
  expect(accepted.filter((text) => rule.pattern.test(text))).toEqual([]);
});
