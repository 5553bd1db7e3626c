import { SPARK_CONNECT, type SparkConnectSpec } from '../../../api/spark-connect';
import { podTemplateSchema, specSchema } from '../../../rules/schemas';
import { sizeViolations, type TemplatePlaces } from '../../../rules/size';
import type { Problem } from '../../../model/problem';
import { largeSpecs } from '../../large-spec';
import { SPARK_CONNECTS } from '../../../model/resources';
import { oversizedFacts } from '../../../model/spec-facts';
import type { ConnectFacts, SparkConnect, WholeConnect } from '../../../model/spark-connect';
import { runHashOf } from '../../../plan/connect/revision';

/** Properties that the operator reads after the start of a server. */
const PROPERTIES = ['spark.ui.enabled', 'spark.ui.port', 'spark.driver.port', 'spark.driver.blockManager.port'] as const;

/** Returns the facts in a specification, without the rest. */
function factsOf(spec: SparkConnectSpec): ConnectFacts {
  const { sparkUIOptions, sparkConf, server } = spec;
  const properties = PROPERTIES.filter((key) => sparkConf?.[key] !== undefined).map((key) => [key, sparkConf![key]] as const);
  return {
    ...numbersOf(spec),
    ...(sparkUIOptions && { sparkUIOptions }),
    ...(properties.length > 0 && { sparkConf: Object.fromEntries(properties) }),
    server: server?.service ? { service: server.service } : {},
  };
}

function numbersOf({ suspend, restartPolicy, idleTimeToLiveSeconds }: SparkConnectSpec): ConnectFacts {
  return {
    ...(suspend !== undefined && { suspend }),
    ...(restartPolicy !== undefined && { restartPolicy }),
    ...(idleTimeToLiveSeconds !== undefined && { idleTimeToLiveSeconds }),
    server: {},
  };
}

/** Returns the schemas of a SparkConnect. */
function places(): TemplatePlaces {
  return { spec: specSchema(SPARK_CONNECT), podTemplate: podTemplateSchema(), roles: ['server', 'executor'] };
}

function oversizedParts(spec: SparkConnectSpec): readonly Problem[] {
  const found = sizeViolations(places(), spec);
  return found.length > 0 ? found : oversizedFacts(factsOf(spec), 'spec');
}

export const { transform, oversizedReason, wholeOf } = largeSpecs<SparkConnectSpec, ConnectFacts, WholeConnect, SparkConnect>({
  resource: SPARK_CONNECTS, facts: factsOf, numbers: numbersOf, hash: runHashOf, oversized: oversizedParts,
});
