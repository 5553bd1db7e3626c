/** The fields of which a sentence speaks, where they stand here. Those of pods (`template.spec.…`) stay. */
export function inTemplate(sentence: string): string {
  return sentence.replace(/(?<![\w.\]/"'-])spec\.(?=[a-z])/g, 'spec.template.');
}
