/* The phrases that the project does not use. test/tools/lint/rules.test.ts has examples of each. */

/** A phrase, and what to write. */
export interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Whether titles and texts of tests can have it. @default false */
  readonly isAllowedInTests?: boolean;
}

/** The passage begins, or one of its sentences or clauses. */
const START = '(?:^|[.:;] )';

export const RULES: readonly Rule[] = [
  {
    pattern: /\b(?:is|are|was|were|be|been|not|who|what) told\b|\btells? (?:of|that|whether|what|who|how|it|nothing)\b|\btold of\b/i,
    instead: 'report, log, return or print',
  },
  {
    pattern: /\b(?:says?|said|saying|tells?|told|telling)\b/i,
    instead: 'report, log, return, print or require; distinguish', isAllowedInTests: true,
  },
  { pattern: /\b(?:goes|go|went|going) on\b/i, instead: 'continue' },
  { pattern: /\b(?:stands?|stood)\b(?! (?:in for|by)\b)/i, instead: 'is, or is written' },
  { pattern: /\bof before\b|\b(?:the one|ones) before\b/i, instead: 'previous' },
  { pattern: /\blook(?:s|ed)? at again\b|\b(?:is|are|be|been) looked at\b/i, instead: 'reconcile, requeue or read' },
  { pattern: /\blook(?:s|ed|ing)? (?:at|again)\b/i, instead: 'reconcile, requeue, read, check or see', isAllowedInTests: true },
  { pattern: /(?<!\/|value: )\b(?:nobody|somebody|whoever|anybody)\b/i, instead: 'the actor: user, caller, another controller' },
  { pattern: /\bbesides\b/i, instead: 'also, or other than' },
  { pattern: /\ball the same\b/i, instead: 'still' },
  { pattern: /\bcomes? about\b/i, instead: 'happen' },
  { pattern: /\btak(?:en|es?) up\b/i, instead: 'adopt' },
  {
    pattern: new RegExp(`${START}(?:By|With) (?:a|an|all|each|the|what|those|such)\\b[^.,]{0,60}, ?(?:there|it|is|are|the)\\b`),
    instead: 'subject, verb, object',
  },
  { pattern: new RegExp(`${START}Of [a-z][^.,]{0,60}, ?(?:there|it|is|are|the)\\b`), instead: 'subject, verb, object' },
  { pattern: new RegExp(`${START}Of [a-z][^.,]{0,80}, `), instead: 'subject, verb, object', isAllowedInTests: true },
  { pattern: /(?:^|[.] )(?:What|Who|Which) (?!to )(?![^.!?]*\?)\S+/, instead: 'a noun as the subject' },
  {
    pattern: new RegExp(`${START}what (?:the|a|an|its?|they) (?:[a-z]+ ){1,6}(?:is|are|stays?|remains?) `),
    instead: 'the actor as the subject', isAllowedInTests: true,
  },
  { pattern: /\bmay not\b/i, instead: 'cannot, or must not' },
  { pattern: /\bmay\b/, instead: 'can (permissions) or might (options)', isAllowedInTests: true },
  {
    pattern: /\bdo(?:es)? not count(?! (?:the|its|it|them|all|pods)\b)/,
    instead: 'apply, be part of or be ignored', isAllowedInTests: true,
  },
  {
    pattern: /\bcounts (?:once|when|where(?:ver)?|only|for|from|neither|here|towards|if)\b/,
    instead: 'apply, take precedence or be counted', isAllowedInTests: true,
  },
  { pattern: /(?:\b(?:the|its|a|each|every)|'s) begin\b/i, instead: 'start', isAllowedInTests: true },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'repair or correct', isAllowedInTests: true },
  { pattern: /\bcannot be made\b|\bmade (?:again|anew)\b/i, instead: 'create', isAllowedInTests: true },
];
