/** Packages of Java and Scala that are not the user's: the platform, its libraries and drivers. */
const PLATFORM = [
  'java.', 'javax.', 'jdk.', 'sun.', 'com.sun.', 'scala.', 'kotlin.', 'org.apache.', 'py4j.', 'org.sparkproject.',
  'net.jpountz.', 'com.github.luben.', 'org.xerial.', 'org.lz4.', 'net.razorvine.', 'com.ning.', 'io.netty.', 'io.fabric8.',
  'io.vertx.', 'okhttp3.', 'okio.', 'com.fasterxml.', 'org.json4s.', 'com.google.', 'com.amazonaws.', 'software.amazon.',
  'com.azure.', 'com.esotericsoftware.', 'com.twitter.', 'com.codahale.', 'io.dropwizard.', 'org.codehaus.', 'org.glassfish.',
  'org.eclipse.', 'org.slf4j.', 'org.datanucleus.', 'org.antlr.', 'org.rocksdb.', 'io.delta.', 'io.grpc.', 'io.micrometer.',
  'org.postgresql.', 'com.mysql.', 'org.mariadb.', 'oracle.', 'com.microsoft.', 'net.snowflake.', 'org.fusesource.', 'shaded.',
  'breeze.', 'dev.ludovic.',
];

/** Programs that users run, although they are in a package of the platform. */
const EXAMPLES = 'org.apache.spark.examples.';

/** Frame of a JVM stack trace, such as `at java.base/java.lang.Thread.run(Thread.java:840)`. */
const JAVA_FRAME = /^\s+at (?:[\w.$@-]{1,100}\/)*([^\s(]{1,500})\(([^()]{0,200})\)/;

/** Whether a line is a frame of a JVM stack trace. */
export function isJavaFrame(line: string): boolean {
  return /^\s+at \S/.test(line) || /^\s*\.\.\. \d+ (?:more|common frames omitted)/.test(line);
}

/** Returns the place of a frame of the JVM in the user's own code, such as `Job.scala:12`. */
export function ownJavaFrame(line: string): string | undefined {
  const [, method, place] = JAVA_FRAME.exec(line) ?? [];
  if (!method || !/^[\w$.-]{1,100}:\d+$/.test(place!)) return undefined;
  const isOwn = method.startsWith(EXAMPLES) || !PLATFORM.some((prefix) => method.startsWith(prefix));
  return isOwn && method.includes('.') ? place : undefined;
}

/** Frame of a Python traceback; a SyntaxError has no function. */
const PYTHON_FRAME = /^\s+File "([^"]{1,500})", line (\d{1,9})/;

/** Whether a line is the first one of a frame of a Python traceback. */
export function isPythonFrame(line: string): boolean {
  return PYTHON_FRAME.test(line);
}

/** Files of Python, its packages, Spark and py4j. */
const PYTHON_PLATFORM = /pyspark\.zip\/|\/pyspark\/|\bpy4j|\/lib(?:64)?\/python\d|\/(?:site|dist)-packages\/|^<|\/python\d?\.zip\//;

/** Whether a frame of a Python traceback is in py4j. */
export function isPy4jFrame(line: string): boolean {
  return /\bpy4j/.test(PYTHON_FRAME.exec(line)?.[1] ?? '');
}

/** Returns the place of a frame of Python in the user's own code, such as `fail.py:5`. */
export function ownPythonFrame(line: string): string | undefined {
  const [, file, number] = PYTHON_FRAME.exec(line) ?? [];
  if (file === undefined || PYTHON_PLATFORM.test(file)) return undefined;
  const parts = file.split('/');
  // The name of a package is more specific than that of its main files.
  const name = /^__\w+__\.py$/.test(parts.at(-1)!) ? parts.slice(-2).join('/') : parts.at(-1)!;
  return name === '' || name.length > 100 ? undefined : `${name}:${number}`;
}
