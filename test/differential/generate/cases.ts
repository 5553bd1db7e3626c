import fc from 'fast-check';
import type { MainApplication } from '../../../src/plan/properties/main-application';
import type { SubmitCase } from '../submit-case';
import { PROPERTIES } from './properties';
import type { Properties } from './properties';
import { podTemplate } from './templates';
import { anyText } from './texts';
import { driverVolumes } from './volumes';
import { wrongProperties } from './wrong';

const mainClass = fc.constantFrom('org.example.Main', 'Main', 'a.b.C$D');
const args = fc.array(fc.oneof(anyText, fc.constantFrom('--conf', '--class', '-h', 'spark.x=y')), { maxLength: 4 });

const application: fc.Arbitrary<MainApplication> = fc.oneof(
  fc.record({
    type: fc.constant('java' as const),
    resource: fc.constantFrom('local:///opt/app.jar', 'https://r.example/app.jar', 's3a://bucket/app.jar', 'local:///opt/no-extension', 'spark-internal', 'hdfs://nn/a.jar'),
    mainClass,
    arguments: args,
  }),
  fc.record({
    type: fc.constant('python' as const),
    resource: fc.constantFrom('local:///opt/app.py', 'https://r.example/app.py', 's3a://bucket/app.py', 'local:///opt/app.py.py'),
    arguments: args,
  }),
  fc.record({ type: fc.constant('r' as const), resource: fc.constantFrom('local:///opt/app.R', 'local:///opt/app.r'), arguments: args }),
);

/** In one case of four. Shrinks to nothing. */
const sometimes = <T, N>(arbitrary: fc.Arbitrary<T>, nothing: N) => fc.oneof({ withCrossShrink: true }, { weight: 3, arbitrary: fc.constant(nothing) }, { weight: 1, arbitrary });

/** Of all concerns a quarter: with more they would hide each other, with fewer they would never meet. */
const properties: fc.Arbitrary<Properties> = fc.record({
  ...Object.fromEntries(Object.entries(PROPERTIES).map(([concern, arbitrary]) => [concern, sometimes<Properties, Properties>(arbitrary, {})])),
  volumes: sometimes<Properties, Properties>(driverVolumes, {}),
}).map((parts) => Object.assign({ 'spark.kubernetes.container.image': 'apache/spark:test' }, ...Object.values(parts)) as Properties);

const templates = fc.record({
  driver: sometimes(podTemplate, undefined),
  executor: sometimes(podTemplate, undefined),
});

const rightCase: fc.Arbitrary<SubmitCase> = fc.record({ properties, application, templates, proxyUser: sometimes(fc.constantFrom('bob', 'alice@EXAMPLE'), undefined) })
  .map(({ properties: given, templates: { driver, executor }, proxyUser, ...rest }) => ({
    application: { ...rest.application, ...(proxyUser === undefined ? {} : { proxyUser }) },
    properties: {
      ...(rest.application.type === 'r' ? without(given, 'spark.jars') : given),
      ...(driver?.containerName === undefined ? {} : { 'spark.kubernetes.driver.podTemplateContainerName': driver.containerName }),
      ...(executor?.containerName === undefined ? {} : { 'spark.kubernetes.executor.podTemplateContainerName': executor.containerName }),
    },
    ...(driver === undefined ? {} : { driverTemplate: driver.text }),
    ...(executor === undefined ? {} : { executorTemplate: executor.text }),
  }));

/** spark-submit cannot submit an application in R that has jars. */
function without(properties_: Properties, key: string): Properties {
  const { [key]: _, ...others } = properties_;
  return others;
}

/** Something in it is wrong, or so odd that Spark may refuse it. */
const wrongCase: fc.Arbitrary<SubmitCase> = fc.tuple(rightCase, wrongProperties)
  .map(([given, wrong]) => ({ ...given, properties: { ...given.properties, ...wrong } }));

/** Cases that can be submitted, and, one in eight, cases that should not. */
export const submitCase: fc.Arbitrary<SubmitCase> = fc.oneof({ weight: 7, arbitrary: rightCase }, { weight: 1, arbitrary: wrongCase });
