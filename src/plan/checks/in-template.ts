/** Returns a sentence about a specification for one that is a template. Fields of pods (`template.spec.…`) stay. */
export function inTemplate(sentence: string): string {
  return sentence.replace(/(?<![\w.\]/"'-])spec\.(?=[a-z])/g, 'spec.template.');
}
