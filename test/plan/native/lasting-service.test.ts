import { withLastingService } from '../../../src/plan/native/lasting-service';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';

const DELETION = 'spark.kubernetes.driver.service.deleteOnTermination';

test.each([
  ['by default', {}, 'false'],
  ['as the user asks for it', { [DELETION]: ' False ' }, ' False '],
])('Spark leaves the Service, %s', (_, conf, expected) => {
  const given = SparkProperties.of(conf);
  expect(withLastingService(given)?.get(DELETION)).toBe(expected);
  expect(Object.fromEntries(given.entries())).toEqual(conf);
});

test.each(['true', 'TRUE', 'wrong'])('Spark deletes the Service if the user writes %s', (value) => {
  expect(withLastingService(SparkProperties.of({ [DELETION]: value }))).toBeUndefined();
});
