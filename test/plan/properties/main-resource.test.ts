import { application } from '../application';
import { SparkApplicationType } from '../../../src/api/spark-application';
import { mainApplication } from '../../../src/plan/properties/main-resource';

const of = (type: SparkApplicationType, mainApplicationFile: string) => mainApplication(application({
  spec: { type, mainApplicationFile },
}).spec);

test.each([
  [SparkApplicationType.JAVA, 'local:///a.jar', 'java'],
  [SparkApplicationType.SCALA, 'spark-internal', 'java'],
  [SparkApplicationType.PYTHON, 's3a://b/a.py', 'python'],
  [SparkApplicationType.R, 'local:///a.R', 'r'],
  [SparkApplicationType.R, 'local:///a.r', 'r'],
])('%s, %s is run as %s', (type, file, expected) => {
  const { application: main, warning } = of(type, file);

  expect(main.type).toBe(expected);
  expect(warning).toBeUndefined();
});

test.each([
  [SparkApplicationType.SCALA, 'local:///a.py', 'python', 'is Scala, but Spark runs the main file as a Python file, by its name'],
  [SparkApplicationType.PYTHON, 'local:///a.zip', 'java', 'is Python, but Spark runs the main file as a jar, by its name'],
  [SparkApplicationType.JAVA, 'local:///a.R', 'r', 'is Java, but Spark runs the main file as an R file, by its name'],
])('where type %s and %s contradict each other, the file decides', (type, file, expected, reason) => {
  expect(of(type, file)).toMatchObject({ application: { type: expected }, warning: { path: 'spec.type', reason, severity: 'ineffective' } });
});
