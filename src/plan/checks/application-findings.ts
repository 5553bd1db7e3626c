import podTemplate from '../../../schemas/pod-template.json';
import type { SparkApplicationSpec } from '../../api/spark-application';
import { podTemplateViolations, type PodTemplateSchema } from '../../rules/pod-template';
import { submissionViolations } from './submission';
import { problemText, type Problem } from '../../model/problem';
import { applyLayers } from '../defaults/apply';
import { specViolations } from '../defaults/partial-schema';
import { refuseDeniedConf } from '../properties/denied-conf';
import { refuseDeniedOptions } from '../properties/denied-options';
import type { SubmittedApplication } from '../properties/properties';
import { oversizedViolations } from '../oversized';
import { mistakeOf, mistakeOfError, refusalOf, withoutRepetition } from './findings';
import { type ApplicationFindings, preparationFindings, type SubmissionDependencies } from './preparation-findings';
import { isObject } from '../../model/is-object';

/**
 * All that the operator would refuse when it submits an application, and what has no effect, by the same functions: the rules of specifications, defaults and
 * limits of cluster and namespace, the preparation, and the choice of the submitter.
 *
 * What the schema asks for the API server has asked for before; it is looked at so that nothing else stumbles over it, and told if it is new.
 *
 * @param application with names and ids that may be made up
 * @param before the specification that stood there before; its mistakes against the schema are not told again
 */
export function applicationFindings(application: SubmittedApplication, world: SubmissionDependencies, before?: unknown): ApplicationFindings {
  const { spec } = application;
  if (!isObject(spec)) return { mistakes: [mistakeOf({ path: 'spec', value: undefined, reason: spec === undefined ? 'is required' : 'must be an object' })], warnings: [] };
  // Also of what was stored so: the rest takes time by the square of some parts.
  const ofSize = oversizedViolations(application);
  if (ofSize.length > 0) return { mistakes: ofSize.map(mistakeOf), warnings: [] };
  const ofSchema = known(specViolations(spec));
  const stored = new Set(isObject(before) && ofSchema.length > 0 ? specViolations(before).map(problemText) : []);
  const added = ofSchema.filter((violation) => !stored.has(problemText(violation)));
  if (added.length > 0) return { mistakes: added.map(mistakeOf), warnings: [] };
  try {
    return findingsOf(application, world);
  } catch (error) {
    // The API server leaves out what was there before its rule came; what cannot be read for that cannot be submitted either.
    if (ofSchema.length > 0) return { mistakes: ofSchema.map(mistakeOf), warnings: [] };
    throw error;
  }
}

/** The API server drops fields that it does not know. */
function known(found: readonly Problem[]): Problem[] {
  return found.filter(({ unknown }) => !unknown);
}

function findingsOf(application: SubmittedApplication, world: SubmissionDependencies): ApplicationFindings {
  const { namespace } = application.metadata;
  const current = world.defaults?.current(namespace);
  if (current?.kind === 'unusable') {
    // What is missing may be there with defaults, but not what is there too much.
    const refusals = [() => refuseDeniedConf(application.spec.sparkConf ?? {}, namespace), () => refuseDeniedOptions(application.spec, namespace)];
    const mistakes = refusals.flatMap(refusalOf).map(mistakeOfError);
    return { mistakes, warnings: [`the application is taken without a look at it, and waits: ${current.reason}`] };
  }
  const { spec, applied, violations } = current ? applyLayers(application, current.layers) : { spec: application.spec, applied: [], violations: [] };
  const submitted = { ...application, spec };
  const found = writtenViolations(spec, namespace);
  const written = found.filter((violation) => !isWithoutEffect(violation)).map(mistakeOf);
  const limits = violations.map(mistakeOfError);
  const preparation = preparationFindings(submitted, world);
  const ofPreparation = preparation.mistakes.filter((mistake) => !limits.some(({ text }) => text === mistake.text));
  const mistakes = [...limits, ...withoutRepetition(written, ofPreparation)];
  const withoutEffect = found.filter(isWithoutEffect).map(problemText);
  if (mistakes.length === 0) return { ...preparation, warnings: [...preparation.warnings, ...withoutEffect] };
  const origin = applied.length > 0 ? [`what is checked has in it what ConfigMap ${applied.map(({ configMap }) => configMap).join(' and ')} says`] : [];
  return { mistakes, warnings: [...preparation.warnings, ...origin] };
}

const ROLES = ['driver', 'executor'] as const;

/** At synth that is refused; what runs is not. */
function isWithoutEffect({ reason }: Problem): boolean {
  return reason.startsWith('has no effect');
}

/** What follows from the specification alone. */
function writtenViolations(spec: SparkApplicationSpec, namespace: string): Problem[] {
  const ofTemplates = ROLES.flatMap((role) => known(podTemplateViolations(podTemplate as unknown as PodTemplateSchema, spec[role].template ?? undefined, `spec.${role}.template`)));
  // The others rely on the types.
  return ofTemplates.length > 0 ? ofTemplates : submissionViolations(spec, namespace);
}
