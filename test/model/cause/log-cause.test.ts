/* Causes of failures in the formats of Spark's logs. The recorded logs of driver-logs.test.ts are whole. */
import { causeInLog } from '../../../src/model/cause/log-cause';

const SHUTDOWN = [
  '26/03/01 10:00:00 INFO SparkContext: Invoking stop() from shutdown hook',
  '26/03/01 10:00:01 WARN ExecutorPodsWatchSnapshotSource: Kubernetes client has been closed.',
  '26/03/01 10:00:01 INFO ShutdownHookManager: Deleting directory /tmp/spark-1',
];

const WORKER = [
  'Traceback (most recent call last):',
  '  File "/opt/spark/python/lib/pyspark.zip/pyspark/worker.py", line 1247, in main',
  '    process()',
  '  File "/opt/job.py", line 9, in <lambda>',
  'ZeroDivisionError: division by zero',
  '',
];

const LOST_TASK = 'Job aborted due to stage failure: Task 0 in stage 0.0 failed 4 times, most recent failure: '
  + 'Lost task 0.3 in stage 0.0 (TID 6) (10.1.2.3 executor 2): ';

const CRASHED = "Python worker exited unexpectedly (crashed). Consider setting 'spark.sql.execution.pyspark.udf.faulthandler.enabled' "
  + "or'spark.python.worker.faulthandler.enabled' configuration to 'true' for the better Python traceback.";

const spark = (count: number) => Array.from({ length: count }, (_, index) => `\tat org.apache.spark.rdd.RDD.iterator(RDD.scala:${index})`);

const CASES: Readonly<Record<string, readonly [log: readonly string[], cause: string | undefined]>> = {
  'an exception of Python, and the line of the program': [[
    'Traceback (most recent call last):',
    '  File "/opt/job.py", line 30, in <module>', '    main()',
    '  File "/opt/job.py", line 12, in main', '    return rows["x"]', '           ~~~~^^^^^',
    "KeyError: 'x'", ...SHUTDOWN,
  ], "KeyError: 'x' (job.py:12)"],
  'an error of analysis, without the frames of PySpark and the plan': [[
    'Traceback (most recent call last):',
    '  File "/opt/fail.py", line 5, in <module>', '    df.select("no_such_column")',
    '  File "/opt/spark/python/lib/pyspark.zip/pyspark/sql/dataframe.py", line 3223, in select',
    '  File "/opt/spark/python/lib/py4j-0.10.9.7-src.zip/py4j/java_gateway.py", line 1322, in __call__',
    '  File "/opt/spark/python/lib/pyspark.zip/pyspark/errors/exceptions/captured.py", line 185, in deco',
    'pyspark.errors.exceptions.captured.AnalysisException: [UNRESOLVED_COLUMN] A column with name `no_such_column` cannot be resolved.;',
    "'Project ['no_such_column]", '+- Range (0, 10, step=1, splits=Some(2))', '', ...SHUTDOWN,
  ], 'AnalysisException: [UNRESOLVED_COLUMN] A column with name `no_such_column` cannot be resolved. (fail.py:5)'],
  'the cause in a Python worker': [[
    '26/03/01 10:00:00 ERROR TaskSetManager: Task 0 in stage 0.0 failed 4 times; aborting job',
    'Traceback (most recent call last):',
    '  File "/opt/job.py", line 20, in <module>', '    rdd.map(f).collect()',
    '  File "/opt/spark/python/lib/py4j-0.10.9.7-src.zip/py4j/protocol.py", line 326, in get_return_value',
    'py4j.protocol.Py4JJavaError: An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.',
    `: org.apache.spark.SparkException: ${LOST_TASK}org.apache.spark.api.python.PythonException: ${WORKER[0]}`, ...WORKER.slice(1),
    ...spark(3), 'Driver stacktrace:', ...spark(3),
    `Caused by: org.apache.spark.api.python.PythonException: ${WORKER[0]}`, ...WORKER.slice(1), ...spark(2), '\t... 1 more', '', ...SHUTDOWN,
  ], 'ZeroDivisionError: division by zero (job.py:9)'],
  'a function of SQL in a Python worker': [[
    'Traceback (most recent call last):', '  File "/opt/job.py", line 20, in <module>',
    '  File "/opt/spark/python/lib/pyspark.zip/pyspark/errors/exceptions/captured.py", line 185, in deco',
    'pyspark.errors.exceptions.captured.PythonException: ',
    '  An exception was thrown from the Python worker. Please see the stack trace below.', ...WORKER, ...SHUTDOWN,
  ], 'ZeroDivisionError: division by zero (job.py:9)'],
  'a watch without the permission, whose message has nothing of it': [[
    '26/03/01 10:00:00 ERROR SparkContext: Error initializing SparkContext.', 'Traceback (most recent call last):',
    '  File "/opt/job.py", line 3, in <module>', '    .getOrCreate()',
    '  File "/opt/spark/python/lib/py4j-0.10.9.9-src.zip/py4j/protocol.py", line 327, in get_return_value',
    'py4j.protocol.Py4JJavaError: An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.',
    ': io.fabric8.kubernetes.client.KubernetesClientException: Received 403 on websocket. Failure executing: GET at: https://kubernetes.default.svc/api/v1/namespaces/team-a/pods'
    + '?allowWatchBookmarks=true&labelSelector=spark-app-selector%3Dspark-1%2Cspark-role%3Dexecutor%2Cspark-exec-inactive%21%3Dtrue&watch=true. Message: Forbidden.',
    '\tat io.fabric8.kubernetes.client.dsl.internal.OperationSupport.requestFailure(OperationSupport.java:642)', ...SHUTDOWN,
  ], "the driver's service account has no permission to watch pods in namespace team-a"],
  "Java's root cause, and the user's frame": [[
    'Exception in thread "main" java.lang.RuntimeException: cannot read the orders', '\tat com.acme.Job$.main(Job.scala:12)', ...spark(2),
    'Caused by: java.nio.file.NoSuchFileException: /data/orders', '\tat java.base/sun.nio.fs.UnixException.translate(UnixException.java:92)',
    '\tat com.acme.Input.open(Input.java:7)', '\t... 12 more', ...SHUTDOWN,
  ], 'NoSuchFileException: /data/orders (Input.java:7)'],
  'an exception that quotes its cause': [[
    'Exception in thread "main" java.nio.file.AccessDeniedException: s3a://data/in: getFileStatus on s3a://data/in: '
    + 'com.amazonaws.services.s3.model.AmazonS3Exception: Forbidden (Service: Amazon S3; Status Code: 403; Request ID: 1; Proxy: null)',
    '\tat org.apache.hadoop.fs.s3a.S3AUtils.translateException(S3AUtils.java:255)', '\tat com.acme.Job.main(Job.java:3)',
    'Caused by: com.amazonaws.services.s3.model.AmazonS3Exception: Forbidden (Service: Amazon S3; Status Code: 403; Request ID: 1; Proxy: null)',
  ], 'AccessDeniedException: s3a://data/in: getFileStatus on s3a://data/in: AmazonS3Exception: Forbidden (Service: Amazon S3; Status Code: 403) (Job.java:3)'],
  'an exception of a task': [[
    `Exception in thread "main" org.apache.spark.SparkException: ${LOST_TASK}java.lang.ArithmeticException: / by zero`,
    '\tat com.acme.Job$.$anonfun$main$1(Job.scala:14)', ...spark(3), '', 'Driver stacktrace:', ...spark(2), '\tat com.acme.Job$.main(Job.scala:16)',
  ], 'ArithmeticException: / by zero (Job.scala:14)'],
  'an executor without memory': [[
    `Exception in thread "main" org.apache.spark.SparkException: ${LOST_TASK}ExecutorLostFailure (executor 2 exited caused by one of the running tasks) Reason: `,
    'The executor with id 2 exited with exit code 137(SIGKILL, possible container OOM).', '', '', 'The API gave the following container statuses:',
    '\t termination reason: OOMKilled', 'Driver stacktrace:', ...spark(2),
  ], 'executor 2 was killed with exit code 137 (OOMKilled): its container exceeded its memory limit'],
  'a Python worker that the kernel killed': [[
    'Traceback (most recent call last):', '  File "/opt/job.py", line 9, in <module>', '    rdd.mapPartitions(greedy).collect()',
    '  File "/opt/spark/python/lib/py4j-0.10.9.9-src.zip/py4j/protocol.py", line 327, in get_return_value',
    'py4j.protocol.Py4JJavaError: An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.',
    `: org.apache.spark.SparkException: ${LOST_TASK}org.apache.spark.SparkException: ${CRASHED}`, ...spark(2), 'Caused by: java.io.EOFException', ...spark(2),
    '', 'Driver stacktrace:', ...spark(2), `Caused by: org.apache.spark.SparkException: ${CRASHED}`, ...spark(2), 'Caused by: java.io.EOFException', ...spark(2),
    ...SHUTDOWN,
  ], 'a Python worker crashed in executor 2 (job.py:9)'],
  'a Python worker that reports why it crashed': [[
    `Exception in thread "main" org.apache.spark.SparkException: ${LOST_TASK}org.apache.spark.SparkException: `
    + 'Python worker exited unexpectedly (crashed): Fatal Python error: Segmentation fault', ...spark(2),
  ], 'SparkException: Python worker exited unexpectedly (crashed): Fatal Python error: Segmentation fault'],
  'an API server that does not answer the driver': [[
    'Exception in thread "main" org.apache.spark.SparkException: External scheduler cannot be instantiated', ...spark(2), '\tat com.acme.Job.main(Job.java:3)',
    'Caused by: io.fabric8.kubernetes.client.KubernetesClientException: java.util.concurrent.TimeoutException', ...spark(2),
    'Caused by: java.util.concurrent.TimeoutException', ...spark(2), ...SHUTDOWN,
  ], 'the driver did not reach the API server in time (TimeoutException)'],
  'the same, at the end of a log that the kubelet cut': [[
    'Caused by: io.fabric8.kubernetes.client.KubernetesClientException: java.util.concurrent.TimeoutException', ...spark(2), ...SHUTDOWN,
  ], 'the driver did not reach the API server in time (TimeoutException)'],
  'the same, if the kubelet also cut the exception of the client': [[
    ...spark(2), 'Caused by: io.vertx.core.impl.NoStackTraceTimeoutException: '
    + 'The timeout of 10000 ms has been exceeded when getting a connection to kubernetes.default.svc:443',
  ], 'the driver did not reach the API server in time (TimeoutException)'],
  'a thread that a busy node delayed is not the cause': [[
    '26/03/01 10:00:00 WARN BlockedThreadChecker: Thread Thread[#42,vert.x-eventloop-thread-0,5,main] has been blocked for 5268 ms, time limit is 2000 ms',
    'io.vertx.core.VertxException: Thread blocked', '\tat io.fabric8.kubernetes.model.jackson.KubernetesDeserializer.resolve(KubernetesDeserializer.java:219)',
    '26/03/01 10:00:09 INFO SparkContext: SparkContext is stopping with exitCode 0 from stop at NativeMethodAccessorImpl.java:0.',
  ], undefined],
  'too many executors that failed, not what follows in the program': [[
    '26/03/01 10:00:00 ERROR ExecutorPodsLifecycleManager: Max number of executor failures (3) reached', '26/03/01 10:00:00 INFO SparkContext: Invoking stop() from shutdown hook',
    'Traceback (most recent call last):', '  File "/opt/app/job.py", line 3, in <module>', '    SparkSession.builder.getOrCreate()',
    'py4j.protocol.Py4JJavaError: An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.',
    ': java.lang.IllegalStateException: Spark context stopped while waiting for backend', ...spark(2),
  ], 'Max number of executor failures (3) reached'],
  'an executor with a full heap': [[
    `Exception in thread "main" org.apache.spark.SparkException: ${LOST_TASK}java.lang.OutOfMemoryError: Java heap space`,
    '\tat com.acme.Job$.$anonfun$main$1(Job.scala:14)', ...SHUTDOWN,
  ], 'OutOfMemoryError: Java heap space in executor 2 (Job.scala:14)'],
  'an executor that ended, not what the driver logs while it stops': [[
    '26/03/01 10:00:00 ERROR TaskSchedulerImpl: Lost executor 1 on 10.0.0.5: ', 'The executor with id 1 exited with exit code 52(JVM OOM).', '',
    '26/03/01 10:00:01 ERROR SparkContext: Could not find AppClient.', 'org.apache.spark.SparkException: Could not find AppClient.', ...spark(1), ...SHUTDOWN,
  ], 'executor 1 ended with exit code 52 (out of memory: a Java OutOfMemoryError)'],
  'an executor without heartbeats': [[
    `Exception in thread "main" org.apache.spark.SparkException: ${LOST_TASK}ExecutorLostFailure (executor 2 exited caused by one of the running tasks) Reason: `
    + 'Executor heartbeat timed out after 125000 ms', 'Driver stacktrace:', ...spark(1),
  ], 'executor 2 was lost: Executor heartbeat timed out after 125000 ms'],
  'a lost result of a driver without memory': [[
    '26/03/01 10:00:00 ERROR Utils: Uncaught exception in thread task-result-getter-0', 'java.lang.OutOfMemoryError: Java heap space', ...spark(1),
    `Exception in thread "main" org.apache.spark.SparkException: ${LOST_TASK}TaskResultLost (result lost from block manager)`, 'Driver stacktrace:', ...spark(1),
  ], 'OutOfMemoryError: Java heap space'],
  'a full disk, and the frame that is no library': [[
    `Exception in thread "main" org.apache.spark.SparkException: ${LOST_TASK}java.io.IOException: No space left on device`,
    '\tat net.jpountz.lz4.LZ4BlockOutputStream.flush(LZ4BlockOutputStream.java:243)', 'Driver stacktrace:', '\tat com.acme.Job.main(Job.java:9)',
  ], 'IOException: No space left on device (Job.java:9)'],
  'an object that cannot be serialized': [[
    'Exception in thread "main" org.apache.spark.SparkException: Task not serializable', ...spark(1), '\tat com.acme.Job.main(Job.java:9)',
    'Caused by: java.io.NotSerializableException: com.acme.Db', 'Serialization stack:', '\t- object not serializable (class: com.acme.Db, value: x)', ...spark(1), '\t... 20 more',
  ], 'NotSerializableException: com.acme.Db (Job.java:9)'],
  'a driver without memory that lost its connection to Python': [[
    '26/03/01 10:00:00 ERROR Utils: uncaught error in thread Spark Context Cleaner', 'java.lang.OutOfMemoryError: Java heap space', ...spark(2),
    'ERROR:root:Exception while sending command.', 'Traceback (most recent call last):',
    '  File "/opt/spark/python/lib/py4j-0.10.9.7-src.zip/py4j/clientserver.py", line 516, in send_command',
    'py4j.protocol.Py4JNetworkError: Answer from Java side is empty',
    'Traceback (most recent call last):', '  File "/opt/job.py", line 3, in <module>',
    '  File "/opt/spark/python/lib/py4j-0.10.9.7-src.zip/py4j/clientserver.py", line 438, in connect',
    'ConnectionRefusedError: [Errno 111] Connection refused',
  ], 'OutOfMemoryError: Java heap space'],
  'a permission that the driver lacks': [[
    'Exception in thread "main" org.apache.spark.SparkException: External scheduler cannot be instantiated', ...spark(1),
    'Caused by: io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: POST at: https://kubernetes.default.svc/api/v1/namespaces/jobs/pods. '
    + 'Message: pods is forbidden: User "system:serviceaccount:jobs:spark" cannot create resource "pods" in API group "" in the namespace "jobs". Received status: Status(code=403).',
  ], 'the service account jobs/spark has no permission to create pods in namespace jobs'],
  'a table that is missing, from SQL': [[
    '[TABLE_OR_VIEW_NOT_FOUND] The table or view `orders` cannot be found. Verify the spelling. SQLSTATE: 42P01; line 1 pos 14;', "'Project [*]", ...SHUTDOWN,
  ], '[TABLE_OR_VIEW_NOT_FOUND] The table or view `orders` cannot be found. Verify the spelling.'],
  'an error of R': [[
    'Error in handleErrors(returnStatus, conn) : ', `  org.apache.spark.SparkException: ${LOST_TASK}java.lang.IllegalStateException: no rows`, ...spark(2),
    'Calls: collect ... callJMethod -> invokeJava -> handleErrors', 'Execution halted',
  ], 'IllegalStateException: no rows'],
  'a package of Maven': [[
    'Exception in thread "main" java.lang.RuntimeException: [unresolved dependency: com.acme#nothing;1.0: not found]', ...spark(2),
  ], 'Maven package com.acme:nothing:1.0 was not found'],
  'a class that is missing': [['Error: Failed to load class com.acme.Job.', ...SHUTDOWN], 'Failed to load class com.acme.Job.'],
  'a jar that is missing': [[
    '26/03/01 10:00:00 WARN DependencyUtils: Local jar /opt/job-1.4.jar does not exist, skipping.', 'Error: Failed to load class com.acme.Job.',
  ], 'Failed to load class com.acme.Job: the jar /opt/job-1.4.jar does not exist'],
  'a file that is missing': [["python3: can't open file '/opt/no.py': [Errno 2] No such file or directory"], "python3: can't open file '/opt/no.py': [Errno 2] No such file or directory"],
  'secrets': [['Exception in thread "main" java.sql.SQLException: jdbc:postgresql://etl:hunter2@db/x?password=hunter2 with token: hunter2'], 'SQLException: jdbc:postgresql://***@db/x?*** with token: ***'],
  'a password of the file that was read': [[
    'Exception in thread "main" org.apache.spark.SparkException: [FAILED_READ_FILE.NO_HINT] Encountered error while reading file s3a://AKIA123:hunter2@lake/part-0.parquet. SQLSTATE: KD001', ...spark(1),
    'Caused by: java.lang.RuntimeException: not a Parquet file', ...spark(1),
  ], 'RuntimeException: not a Parquet file, in file s3a://***@lake/part-0.parquet'],
  'a signature of the file that was read': [[
    'Exception in thread "main" org.apache.spark.SparkException: [FAILED_READ_FILE.NO_HINT] Encountered error while reading file https://lake/part-0.parquet?sig=hunter2. SQLSTATE: KD001', ...spark(1),
    'Caused by: java.lang.RuntimeException: not a Parquet file', ...spark(1),
  ], 'RuntimeException: not a Parquet file, in file https://lake/part-0.parquet?***'],
  'the last error, not a lack of memory from which a task recovered': [[
    '26/03/01 10:00:00 WARN TaskSetManager: Lost task 0.0 in stage 1.0 (TID 3) (10.1.2.3 executor 2): java.lang.OutOfMemoryError: Java heap space', ...spark(1),
    '26/03/01 10:00:01 INFO DAGScheduler: Job 1 finished: collect at Main.java:3, took 1 s',
    '26/03/01 10:00:02 ERROR Main: upload to warehouse failed: HTTP 403',
  ], 'upload to warehouse failed: HTTP 403'],
  'the last error, not a lack of memory that the program has handled': [[
    '26/03/01 10:00:00 ERROR Main: cannot cache', 'java.lang.OutOfMemoryError: Java heap space', ...spark(1),
    '26/03/01 10:00:02 ERROR Main: upload to warehouse failed: HTTP 403',
  ], 'upload to warehouse failed: HTTP 403'],
  'nothing, if the job succeeded without a lost executor': [[
    '26/03/01 10:00:00 ERROR TaskSchedulerImpl: Lost executor 1 on 10.0.0.5: ', 'The executor with id 1 exited with exit code 137(SIGKILL, possible container OOM).', '',
    '26/03/01 10:00:01 INFO DAGScheduler: Job 1 finished: collect at job.py:3, took 1 s', 'rows are missing', ...SHUTDOWN,
  ], undefined],
  'the last error, not a traceback before another job': [[
    'ERROR:root:cannot read the rates', 'Traceback (most recent call last):', '  File "/opt/job.py", line 3, in <module>', 'ValueError: no rates',
    '26/03/01 10:00:01 INFO SparkContext: Starting job: collect at job.py:9', '26/03/01 10:00:02 ERROR Main: upload to warehouse failed: HTTP 403',
  ], 'upload to warehouse failed: HTTP 403'],
  'a lost executor after which no job succeeded': [[
    '26/03/01 10:00:00 INFO SparkContext: Starting job: collect at job.py:9',
    '26/03/01 10:00:01 ERROR TaskSchedulerImpl: Lost executor 1 on 10.0.0.5: ', 'The executor with id 1 exited with exit code 52(JVM OOM).', '',
  ], 'executor 1 ended with exit code 52 (out of memory: a Java OutOfMemoryError)'],
  'an error of the log if there is nothing else': [['26/03/01 10:00:00 INFO A: x', '26/03/01 10:00:00 ERROR SparkContext: no such class'], 'no such class'],
  'nothing, if the program wrote no error': [['Pi is roughly 3.14', ...SHUTDOWN], undefined],
};

test.each(Object.entries(CASES).map(([what, [log, cause]]) => ({ what, log, cause })))('$what', ({ log, cause }) => {
  expect(causeInLog(log.join('\n'), false)).toBe(cause);
});
