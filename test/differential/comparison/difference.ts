import type { Json } from './submitted';

/** One place in which two values differ. Undefined is what is not there. */
export interface Difference {
  readonly path: string;
  readonly spark: Json;
  readonly native: Json;
}

/** All places in which what spark-submit created differs from what native submission did. */
export function differences(spark: Json, native: Json, path = ''): Difference[] {
  if (Object.is(spark, native)) return [];
  if (Array.isArray(spark) && Array.isArray(native)) {
    return Array.from({ length: Math.max(spark.length, native.length) }).flatMap((_, index) => differences(spark[index], native[index], `${path}[${index}]`));
  }
  if (isObject(spark) && isObject(native)) {
    return [...new Set([...Object.keys(spark), ...Object.keys(native)])].sort()
      .flatMap((key) => differences(own(spark, key), own(native, key), /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`));
  }
  return [{ path, spark, native }];
}

function own(object: Json, key: string): Json {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isObject(value: Json): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
