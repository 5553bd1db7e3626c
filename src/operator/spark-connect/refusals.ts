import podTemplate from '../../../schemas/pod-template.json';
import schema from '../../../schemas/sparkconnect.json';
import type { PodTemplateSchema } from '../../rules/pod-template';
import type { Schema } from '../../rules/schema';
import { sparkConnectViolations } from '../../plan/checks/spark-connect';
import { problemText } from '../../model/problem';
import type { CurrentDefaults } from '../../plan/defaults/layer';
import { SubmissionError } from '../../plan/errors';
import { inWordsOfConnect } from '../../plan/connect/as-application';
import { connectLimitViolations } from '../../plan/connect/limit-violations';
import type { WholeConnect } from '../../model/spark-connect';
import { planServer, type ServerSettings } from '../../plan/connect/plan';

/** The schemas that specifications are looked at by. */
const CONNECT_SCHEMAS = { spec: (schema as unknown as Schema).properties!.spec!, podTemplate: podTemplate as unknown as PodTemplateSchema };

/** Why a SparkConnect cannot be run as it is written, whatever the API server and the webhook have let through; sentences. */
function specRefusals({ metadata, spec }: Pick<WholeConnect, 'metadata' | 'spec'>): string[] {
  return sparkConnectViolations(spec, metadata.namespace, CONNECT_SCHEMAS).filter(({ unknown }) => !unknown).map(problemText);
}

/** Why it may not be run, by the limits of the cluster and of its namespace; sentences. */
function limitRefusals(connect: WholeConnect, current: CurrentDefaults | undefined): string[] {
  return current?.kind === 'ready' ? connectLimitViolations(connect, current.layers).map(({ message }) => inWordsOfConnect(message)) : [];
}

/** What stands in the way of a plan; a sentence. */
function planRefusals(connect: WholeConnect, settings: ServerSettings): string[] {
  try {
    planServer(connect, settings);
    return [];
  } catch (error) {
    if (!SubmissionError.is(error)) throw error;
    return [inWordsOfConnect(error.message)];
  }
}

/** All reasons against running a SparkConnect as it is written, of the first of these three kinds that there are. */
export function refusalsOf(connect: WholeConnect, settings: ServerSettings, current: CurrentDefaults | undefined): string[] {
  const looks = [() => specRefusals(connect), () => limitRefusals(connect, current), () => planRefusals(connect, settings)];
  return looks.reduce<string[]>((found, look) => (found.length > 0 ? found : look()), []);
}
