import { QUIET } from '../case.ts';
import type { Case } from '../case.ts';

const POSTGRESQL = 'org.postgresql:postgresql:42.7.4';

export const JAVA_CASES: readonly Case[] = [
  {
    name: 'java-caused-by', spark: '4.1.1', program: 'java/InvoiceExport.java', args: ['/etc/invoices/export.properties'],
    exitCode: 1, contains: 'Caused by: java.nio.file.NoSuchFileException',
  },
  {
    name: 'java-caused-by', spark: '3.5.8', program: 'java/InvoiceExport.java', args: ['/etc/invoices/export.properties'],
    exitCode: 1, contains: 'Caused by: java.nio.file.NoSuchFileException',
  },
  { name: 'java-null-pointer', spark: '4.0.2', program: 'java/CustomerSegments.java', exitCode: 1, contains: 'NullPointerException' },
  {
    name: 'java-class-not-found', spark: '3.5.8', program: 'java/CustomerSegments.java', mainClass: 'com.example.CustomerSegment',
    exitCode: 101, contains: 'com.example.CustomerSegment',
  },
  {
    name: 'java-class-not-found', spark: '4.3.0', program: 'java/CustomerSegments.java', mainClass: 'com.example.CustomerSegment',
    exitCode: 101, contains: 'com.example.CustomerSegment',
  },
  {
    name: 'java-missing-jar', spark: '4.1.1', program: 'java/CustomerSegments.java', resource: 'local:///opt/spark/work-dir/customer-segments-1.4.jar',
    exitCode: 101, contains: 'customer-segments-1.4.jar',
  },
  { name: 'java-no-such-method', spark: '3.5.8', program: 'java/DailyTotals.java', builtFor: '4.0.2', exitCode: 1, contains: 'NoSuchMethodError' },
  { name: 'java-not-serializable', spark: '4.0.2', program: 'java/PriceIndex.java', exitCode: 1, contains: 'NotSerializableException' },
  { name: 'java-exit-code', spark: '4.1.1', program: 'java/ExitCode.java', exitCode: 2, contains: '12 of 100 rows were rejected' },
  { name: 'java-executor-exception', spark: '3.5.8', program: 'java/ParseMeters.java', exitCode: 1, contains: 'NumberFormatException' },
  {
    name: 'java-executor-exception', spark: '4.3.0', program: 'java/ParseMeters.java', conf: { ...QUIET, 'spark.master': 'local-cluster[1,2,1024]' },
    exitCode: 1, contains: 'NumberFormatException',
  },
  { name: 'java-heap-driver', spark: '4.1.1', program: 'java/CollectAll.java', exitCode: 1, contains: 'OutOfMemoryError: Java heap space' },
  {
    name: 'java-heap-executor', spark: '3.5.8', program: 'java/ExecutorHeap.java',
    conf: { ...QUIET, 'spark.master': 'local-cluster[1,1,1024]', 'spark.executor.memory': '512m' },
    exitCode: 1, contains: 'OutOfMemoryError',
  },
  {
    name: 'java-metaspace', spark: '4.0.2', program: 'java/ManyClasses.java', conf: { 'spark.driver.extraJavaOptions': '-XX:MaxMetaspaceSize=128m' },
    exitCode: 1, contains: 'OutOfMemoryError: Metaspace',
  },
  {
    name: 'java-gc-overhead', spark: '4.3.0', program: 'java/SlowLeak.java', conf: { 'spark.driver.extraJavaOptions': '-XX:+UseParallelGC', 'spark.driver.memory': '560m' },
    environment: { SPARK_SUBMIT_OPTS: '' },
    exitCode: 1, contains: 'GC overhead limit exceeded',
  },
  {
    name: 'java-native-thread', spark: '4.1.1', program: 'java/ManyThreads.java', setup: 'ulimit -u 400', exitCode: 1, contains: 'unable to create native thread',
  },
  {
    name: 'java-direct-memory', spark: '4.0.2', program: 'java/DirectMemory.java', conf: { 'spark.driver.extraJavaOptions': '-XX:MaxDirectMemorySize=64m' },
    exitCode: 1, contains: 'direct buffer memory',
  },
  // The trace is longer than what is kept, so that its first line with the exception is lost.
  { name: 'java-stack-overflow', spark: '4.3.0', program: 'java/CategoryTree.java', exitCode: 1, contains: 'at com.example.CategoryTree.depth' },
  {
    name: 'java-jdbc-no-driver', spark: '4.1.1', program: 'java/JdbcImport.java', args: ['jdbc:postgresql://accounts-db.shared.svc:5432/accounts'],
    exitCode: 1, contains: 'No suitable driver',
  },
  {
    name: 'java-jdbc-refused', spark: '3.5.8', program: 'java/JdbcImport.java', args: ['jdbc:postgresql://10.96.0.1:5432/accounts'], jars: [POSTGRESQL],
    exitCode: 1, contains: 'Connection refused',
  },
  {
    name: 'java-jdbc-unknown-host', spark: '4.0.2', program: 'java/JdbcImport.java', args: ['jdbc:postgresql://accounts-db.shared.svc:5432/accounts'], jars: [POSTGRESQL],
    exitCode: 1, contains: 'UnknownHostException',
  },
];
