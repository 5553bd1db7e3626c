import { application } from '../application';
import type { Changes } from '../application';
import { DeployMode, ImagePullPolicy, PythonVersion, SparkApplicationType } from '../../../src/api/spark-application';
import { SecretType } from '../../../src/api/spark-pod';
import { sparkProperties } from '../../../src/plan/properties/properties';
import { problemText } from '../../../src/model/problem';

/** Returns the Spark properties of an application. */
function propertiesOf(changes: Changes): { [key: string]: string } {
  return Object.fromEntries(sparkProperties(application(changes), { attempt: 2, submissionID: 'submission-1' }).properties.entries());
}

/**
 * Rules, one per row: changes of an application, and the resulting properties; `undefined` if there
 * must be none.
 */
const RULES: readonly [rule: string, changes: Changes, expected: { [key: string]: string | undefined }][] = [
  // Properties that every application has.
  ['the application is named after the resource', { name: 'daily' }, { 'spark.app.name': 'daily' }],
  ['the namespace is the resource\'s', {}, { 'spark.kubernetes.namespace': 'jobs' }],
  ['the driver reaches the API server from inside the cluster', {}, { 'spark.master': 'k8s://https://kubernetes.default.svc' }],
  ['spark-submit does not wait for completion', {}, { 'spark.kubernetes.submission.waitAppCompletion': 'false' }],

  // Dependencies.
  ['each kind of dependency has its property', {
    spec: {
      deps: {
        jars: ['https://r/a.jar', 'local:///b.jar'],
        files: ['s3a://b/f'],
        pyFiles: ['local:///a.zip'],
        archives: ['https://r/a.zip#x'],
        packages: ['g:a:1', 'g:b:2'],
        excludePackages: ['g:c'],
        repositories: ['https://repo'],
      },
    },
  }, {
    'spark.jars': 'https://r/a.jar,local:///b.jar',
    'spark.files': 's3a://b/f',
    'spark.submit.pyFiles': 'local:///a.zip',
    'spark.archives': 'https://r/a.zip#x',
    'spark.jars.packages': 'g:a:1,g:b:2',
    'spark.jars.excludes': 'g:c',
    'spark.jars.repositories': 'https://repo',
  }],
  ['deps win over sparkConf', {
    spec: { sparkConf: { 'spark.files': 'https://r/conf' }, deps: { files: ['https://r/deps'] } },
  }, { 'spark.files': 'https://r/deps' }],
  ['an empty list of deps leaves sparkConf alone', {
    spec: { sparkConf: { 'spark.files': 'https://r/conf' }, deps: { files: [] } },
  }, { 'spark.files': 'https://r/conf' }],

  // Properties that sparkConf overrides.
  ['image, pull policy and pull secrets are the application\'s', {
    spec: { image: 'i:1', imagePullPolicy: ImagePullPolicy.ALWAYS, imagePullSecrets: ['a', 'b'] },
  }, {
    'spark.kubernetes.container.image': 'i:1',
    'spark.kubernetes.container.image.pullPolicy': 'Always',
    'spark.kubernetes.container.image.pullSecrets': 'a,b',
  }],
  ['sparkConf wins over imagePullPolicy', {
    spec: { imagePullPolicy: ImagePullPolicy.ALWAYS, sparkConf: { 'spark.kubernetes.container.image.pullPolicy': 'Never' } },
  }, { 'spark.kubernetes.container.image.pullPolicy': 'Never' }],
  ['sparkConf wins over memoryOverheadFactor', {
    spec: { memoryOverheadFactor: '0.2', sparkConf: { 'spark.kubernetes.memoryOverheadFactor': '0.3' } },
  }, { 'spark.kubernetes.memoryOverheadFactor': '0.3' }],
  ['memoryOverheadFactor counts where sparkConf is silent', {
    spec: { memoryOverheadFactor: '0.2' },
  }, { 'spark.kubernetes.memoryOverheadFactor': '0.2' }],
  ['sparkConf does not name the application', { spec: { sparkConf: { 'spark.app.name': 'Daily Report' } } }, { 'spark.app.name': 'pi' }],
  ['known failure R3: sparkConf does not make the submitter wait for the end', {
    spec: { sparkConf: { 'spark.kubernetes.submission.waitAppCompletion': 'true' } },
  }, { 'spark.kubernetes.submission.waitAppCompletion': 'false' }],

  // Fields that override sparkConf.
  ['hadoopConf always gets the prefix, and wins over sparkConf', {
    spec: { sparkConf: { 'spark.hadoop.fs.a': 'conf' }, hadoopConf: { 'fs.a': 'hadoop', 'spark.hadoop.b': 'twice' } },
  }, { 'spark.hadoop.fs.a': 'hadoop', 'spark.hadoop.spark.hadoop.b': 'twice' }],
  ['the driver pod is named after the application', {}, { 'spark.kubernetes.driver.pod.name': 'pi-driver' }],
  ['sparkConf may name the driver pod', {
    spec: { sparkConf: { 'spark.kubernetes.driver.pod.name': 'conf' } },
  }, { 'spark.kubernetes.driver.pod.name': 'conf' }],
  ['driver.podName wins over sparkConf', {
    spec: { sparkConf: { 'spark.kubernetes.driver.pod.name': 'conf' } }, driver: { podName: 'field' },
  }, { 'spark.kubernetes.driver.pod.name': 'field' }],
  ['the operator labels driver and executors', {}, {
    'spark.kubernetes.driver.label.sparkoperator.k8s.io/app-name': 'pi',
    'spark.kubernetes.driver.label.sparkoperator.k8s.io/launched-by-spark-operator': 'true',
    'spark.kubernetes.driver.label.sparkoperator.k8s.io/submission-id': 'submission-1',
    'spark.kubernetes.driver.label.sparkoperator.k8s.io/app-uid': 'uid-1',
    'spark.kubernetes.driver.label.sparkoperator.k8s.io/attempt': '2',
    'spark.kubernetes.driver.label.sparkoperator.k8s.io/mutated-by-spark-operator': undefined,
    'spark.kubernetes.executor.label.sparkoperator.k8s.io/app-name': 'pi',
    'spark.kubernetes.executor.label.sparkoperator.k8s.io/launched-by-spark-operator': 'true',
    'spark.kubernetes.executor.label.sparkoperator.k8s.io/submission-id': 'submission-1',
  }],
  ['the operator\'s labels cannot be removed', {
    labels: { 'sparkoperator.k8s.io/app-name': 'other' }, executor: { labels: { 'sparkoperator.k8s.io/submission-id': 'other' } },
  }, {
    'spark.kubernetes.driver.label.sparkoperator.k8s.io/app-name': 'pi',
    'spark.kubernetes.executor.label.sparkoperator.k8s.io/submission-id': 'submission-1',
  }],
  ['the application\'s image becomes the pods\'', { spec: { image: 'i:1' } }, {
    'spark.kubernetes.driver.container.image': 'i:1', 'spark.kubernetes.executor.container.image': 'i:1',
  }],
  ['a pod\'s own image wins over the application\'s and sparkConf\'s', {
    spec: {
      image: 'i:1', sparkConf: {
        'spark.kubernetes.driver.container.image': 'conf', 'spark.kubernetes.executor.container.image': 'conf',
      },
    },
    driver: { image: 'd:1' },
  }, { 'spark.kubernetes.driver.container.image': 'd:1', 'spark.kubernetes.executor.container.image': 'i:1' }],
  ['without an image, sparkConf\'s stays', {
    spec: { image: undefined, sparkConf: { 'spark.kubernetes.container.image': 'conf' } },
  }, { 'spark.kubernetes.container.image': 'conf', 'spark.kubernetes.driver.container.image': undefined }],
  ['resources of the driver win over sparkConf', {
    spec: { sparkConf: { 'spark.driver.cores': '9', 'spark.driver.memory': '9g', 'spark.driver.extraJavaOptions': '-Dconf' } },
    driver: { cores: 2, coreRequest: '500m', coreLimit: '3', memory: '2g', memoryOverhead: '1g', javaOptions: '-Dfield' },
  }, {
    'spark.driver.cores': '2',
    'spark.kubernetes.driver.request.cores': '500m',
    'spark.kubernetes.driver.limit.cores': '3',
    'spark.driver.memory': '2g',
    'spark.driver.memoryOverhead': '1g',
    'spark.driver.extraJavaOptions': '-Dfield',
  }],
  ['resources of the executors win over sparkConf', {
    spec: { sparkConf: { 'spark.executor.cores': '9', 'spark.executor.memory': '9g' } },
    executor: {
      cores: 4, coreRequest: '2', coreLimit: '5', memory: '3g', memoryOverhead: '2g', javaOptions: '-De', instances: 5,
      deleteOnTermination: false,
    },
  }, {
    'spark.executor.cores': '4',
    'spark.kubernetes.executor.request.cores': '2',
    'spark.kubernetes.executor.limit.cores': '5',
    'spark.executor.memory': '3g',
    'spark.executor.memoryOverhead': '2g',
    'spark.executor.extraJavaOptions': '-De',
    'spark.executor.instances': '5',
    'spark.kubernetes.executor.deleteOnTermination': 'false',
  }],
  ['each role has its service account', { driver: { serviceAccount: 'd' }, executor: { serviceAccount: 'e' } }, {
    'spark.kubernetes.authenticate.driver.serviceAccountName': 'd', 'spark.kubernetes.authenticate.executor.serviceAccountName': 'e',
  }],
  ['labels of the application reach both roles, but not Kueue\'s', { labels: { 'team': 'a', 'kueue.x-k8s.io/queue-name': 'q' } }, {
    'spark.kubernetes.driver.label.team': 'a',
    'spark.kubernetes.executor.label.team': 'a',
    'spark.kubernetes.driver.label.kueue.x-k8s.io/queue-name': undefined,
    'spark.kubernetes.executor.label.kueue.x-k8s.io/queue-name': undefined,
  }],
  ['labels of a role win over the application\'s, and those over sparkConf\'s', {
    labels: { team: 'application', tier: 'application' },
    driver: { labels: { team: 'driver' } },
    spec: { sparkConf: { 'spark.kubernetes.driver.label.tier': 'conf' } },
  }, {
    'spark.kubernetes.driver.label.team': 'driver',
    'spark.kubernetes.driver.label.tier': 'application',
    'spark.kubernetes.executor.label.team': 'application',
  }],
  ['annotations and variables have a property each', {
    driver: { annotations: { 'a/b': '1' }, envVars: { X: '', Y: 'y' } }, executor: { annotations: { c: '2' }, envVars: { Z: 'z' } },
  }, {
    'spark.kubernetes.driver.annotation.a/b': '1',
    'spark.kubernetes.driverEnv.X': '',
    'spark.kubernetes.driverEnv.Y': 'y',
    'spark.kubernetes.executor.annotation.c': '2',
    'spark.executorEnv.Z': 'z',
  }],
  ['nodeSelector wins over sparkConf', {
    spec: { nodeSelector: { disk: 'ssd' }, sparkConf: { 'spark.kubernetes.node.selector.disk': 'hdd' } },
  }, { 'spark.kubernetes.node.selector.disk': 'ssd' }],
  ['nodeSelector wins over sparkConf of one role', {
    spec: { nodeSelector: { disk: 'ssd' }, sparkConf: { 'spark.kubernetes.driver.node.selector.disk': 'hdd' } },
  }, { 'spark.kubernetes.node.selector.disk': 'ssd', 'spark.kubernetes.driver.node.selector.disk': undefined }],

  ['Secrets are mounted; variables tell where credentials are', {
    driver: {
      secrets: [
        { name: 'gcp', path: '/gcp/', secretType: SecretType.GCP_SERVICE_ACCOUNT },
        { name: 'token', path: '/token', secretType: SecretType.HADOOP_DELEGATION_TOKEN },
        { name: 'any', path: '/any', secretType: 'generic' as SecretType },
      ],
    },
    executor: { secrets: [{ name: 'gcp', path: '/e', secretType: SecretType.GCP_SERVICE_ACCOUNT }] },
  }, {
    'spark.kubernetes.driver.secrets.gcp': '/gcp/',
    'spark.kubernetes.driverEnv.GOOGLE_APPLICATION_CREDENTIALS': '/gcp/key.json',
    'spark.kubernetes.driver.secrets.token': '/token',
    'spark.kubernetes.driverEnv.HADOOP_TOKEN_FILE_LOCATION': '/token/hadoop.token',
    'spark.kubernetes.driver.secrets.any': '/any',
    'spark.kubernetes.executor.secrets.gcp': '/e',
    'spark.executorEnv.GOOGLE_APPLICATION_CREDENTIALS': '/e/key.json',
  }],
  ['variables from Secrets', {
    driver: { envSecretKeyRefs: { PASSWORD: { name: 'db', key: 'password' } } },
    executor: { envSecretKeyRefs: { TOKEN: { name: 'api', key: 't' } } },
  }, { 'spark.kubernetes.driver.secretKeyRef.PASSWORD': 'db:password', 'spark.kubernetes.executor.secretKeyRef.TOKEN': 'api:t' }],
  ['local directories on volumes, with the options that are set', {
    spec: {
      volumes: [
        { name: 'spark-local-dir-1', hostPath: { path: '/mnt/ssd', type: 'Directory' } },
        { name: 'spark-local-dir-2', emptyDir: { sizeLimit: '10Gi' } },
        { name: 'spark-local-dir-3', persistentVolumeClaim: { claimName: 'OnDemand' } },
        { name: 'spark-local-dir-4', nfs: { server: 'nfs', path: '/x', readOnly: true } },
        { name: 'spark-local-dir-5', ephemeral: {} },
        { name: 'data', emptyDir: {} },
      ],
    },
    driver: {
      volumeMounts: [
        { name: 'spark-local-dir-1', mountPath: '/tmp/1', subPath: 'spark', readOnly: true },
        { name: 'spark-local-dir-2', mountPath: '/tmp/2', readOnly: false },
        { name: 'data', mountPath: '/data' },
      ],
    },
    executor: {
      volumeMounts: [
        { name: 'spark-local-dir-3', mountPath: '/tmp/3' }, { name: 'spark-local-dir-4', mountPath: '/tmp/4' },
        { name: 'spark-local-dir-5', mountPath: '/tmp/5' },
      ],
    },
  }, {
    'spark.kubernetes.driver.volumes.hostPath.spark-local-dir-1.mount.path': '/tmp/1',
    'spark.kubernetes.driver.volumes.hostPath.spark-local-dir-1.mount.subPath': 'spark',
    'spark.kubernetes.driver.volumes.hostPath.spark-local-dir-1.mount.readOnly': 'true',
    'spark.kubernetes.driver.volumes.hostPath.spark-local-dir-1.options.path': '/mnt/ssd',
    'spark.kubernetes.driver.volumes.hostPath.spark-local-dir-1.options.type': 'Directory',
    'spark.kubernetes.driver.volumes.emptyDir.spark-local-dir-2.mount.path': '/tmp/2',
    'spark.kubernetes.driver.volumes.emptyDir.spark-local-dir-2.mount.readOnly': undefined,
    'spark.kubernetes.driver.volumes.emptyDir.spark-local-dir-2.options.sizeLimit': '10Gi',
    'spark.kubernetes.driver.volumes.emptyDir.data.mount.path': undefined,
    'spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-3.options.claimName': 'OnDemand',
    'spark.kubernetes.executor.volumes.nfs.spark-local-dir-4.options.server': 'nfs',
    'spark.kubernetes.executor.volumes.nfs.spark-local-dir-4.options.readOnly': 'true',
    'spark.kubernetes.executor.volumes.ephemeral.spark-local-dir-5.mount.path': undefined,
  }],
  ['the Service and the master of the driver', {
    driver: { serviceLabels: { l: '1' }, serviceAnnotations: { 'a/b': '2' }, kubernetesMaster: 'https://10.0.0.1' },
  }, {
    'spark.kubernetes.driver.service.label.l': '1',
    'spark.kubernetes.driver.service.annotation.a/b': '2',
    'spark.kubernetes.driver.master': 'https://10.0.0.1',
    'spark.master': 'k8s://https://kubernetes.default.svc',
  }],
  ['the version of Python', { spec: { pythonVersion: PythonVersion.PYTHON3 } }, { 'spark.kubernetes.pyspark.pythonVersion': '3' }],

  // Settings of a template that Spark would replace (pods/template-properties.ts).
  ['the configuration and the grace period of executors, and where pods go', {
    spec: { sparkConfigMap: 'conf' },
    driver: { nodeSelector: { disk: 'ssd' } },
    executor: { terminationGracePeriodSeconds: 5, schedulerName: 'mine' },
  }, {
    'spark.executorEnv.SPARK_CONF_DIR': '/etc/spark/conf',
    'spark.kubernetes.driver.node.selector.disk': 'ssd',
    'spark.kubernetes.executor.terminationGracePeriodSeconds': '5s',
    'spark.kubernetes.executor.scheduler.name': 'mine',
  }],

  // Dynamic allocation.
  ['known failure R1: dynamic allocation is on, and keeps shuffle data by default', {
    spec: { dynamicAllocation: { enabled: true, initialExecutors: 0, minExecutors: 0, maxExecutors: 9, shuffleTrackingTimeout: 60_000 } },
  }, {
    'spark.dynamicAllocation.shuffleTracking.timeout': '60000',
    'spark.dynamicAllocation.enabled': 'true',
    'spark.dynamicAllocation.initialExecutors': '0',
    'spark.dynamicAllocation.minExecutors': '0',
    'spark.dynamicAllocation.maxExecutors': '9',
    'spark.dynamicAllocation.shuffleTracking.enabled': 'true',
  }],
  ['shuffle tracking can be turned off', {
    spec: { dynamicAllocation: { enabled: true, shuffleTrackingEnabled: false } },
  }, { 'spark.dynamicAllocation.shuffleTracking.enabled': 'false' }],
  ['bounds without enabled say nothing', {
    spec: { dynamicAllocation: { maxExecutors: 9 } },
  }, { 'spark.dynamicAllocation.maxExecutors': undefined }],

  // Defaults.
  ['cores, memory and instances have defaults', {}, {
    'spark.driver.cores': '1', 'spark.driver.memory': '1g', 'spark.executor.cores': '1', 'spark.executor.memory': '1g',
    'spark.executor.instances': '1',
  }],
  ['sparkConf wins over the defaults', {
    spec: {
      sparkConf: {
        'spark.driver.cores': '3', 'spark.driver.memory': '3g', 'spark.executor.cores': '4', 'spark.executor.memory': '4g',
        'spark.executor.instances': '7',
      },
    },
  }, {
    'spark.driver.cores': '3', 'spark.driver.memory': '3g', 'spark.executor.cores': '4', 'spark.executor.memory': '4g',
    'spark.executor.instances': '7',
  }],
  ['dynamic allocation needs no number of executors', {
    spec: { dynamicAllocation: { enabled: true } },
  }, { 'spark.executor.instances': undefined }],
  ['dynamic allocation in sparkConf neither', {
    spec: { sparkConf: { 'spark.dynamicAllocation.enabled': 'true' } },
  }, { 'spark.executor.instances': undefined }],
  ['a number of executors is kept beside dynamic allocation', {
    spec: { dynamicAllocation: { enabled: true } }, executor: { instances: 3 },
  }, { 'spark.executor.instances': '3' }],
  ['executors are named by Spark unless the user does', {}, { 'spark.kubernetes.executor.podNamePrefix': undefined }],
  ['the user may name executors', {
    spec: { sparkConf: { 'spark.kubernetes.executor.podNamePrefix': 'mine' } },
  }, { 'spark.kubernetes.executor.podNamePrefix': 'mine' }],
];

test.each(RULES)('%s', (_, changes, expected) => {
  const properties = propertiesOf(changes);

  expect(Object.fromEntries(Object.keys(expected).map(key => [key, properties[key]]))).toEqual(expected);
});

test('a minimal application has only these properties', () => {
  expect(Object.keys(propertiesOf({})).filter(key => !key.includes('.label.'))).toEqual([
    'spark.app.name',
    'spark.driver.cores',
    'spark.driver.memory',
    'spark.executor.cores',
    'spark.executor.instances',
    'spark.executor.memory',
    'spark.kubernetes.container.image',
    'spark.kubernetes.driver.container.image',
    'spark.kubernetes.driver.pod.name',
    'spark.kubernetes.executor.container.image',
    'spark.kubernetes.namespace',
    'spark.kubernetes.submission.waitAppCompletion',
    'spark.master',
  ]);
});

/** Warnings about applications that are still submitted. */
const WARNINGS: readonly [case_: string, changes: Changes, warnings: readonly string[]][] = [
  ['nothing', {}, []],
  ['the same value twice', { spec: { sparkConf: { 'spark.driver.memory': '2g' } }, driver: { memory: '2g' } }, []],
  ['a label of the application that the driver replaces, as is meant', { labels: { a: '1' }, driver: { labels: { a: '2' } } }, []],
  ['a property that a field overrides', { spec: { sparkConf: { 'spark.driver.memory': '3g' } }, driver: { memory: '2g' } }, [
    'spec.sparkConf[spark.driver.memory] is overridden by spec.driver.memory',
  ]],
  ['a field that a property overrides', {
    spec: { imagePullPolicy: ImagePullPolicy.ALWAYS, sparkConf: { 'spark.kubernetes.container.image.pullPolicy': 'Never' } },
  }, [
    'spec.imagePullPolicy is overridden by spec.sparkConf[spark.kubernetes.container.image.pullPolicy]',
  ]],
  ['one of the operator\'s labels', { driver: { labels: { 'sparkoperator.k8s.io/app-name': 'other' } } }, [
    'spec.driver.labels[sparkoperator.k8s.io/app-name] is overridden by the operator',
  ]],
  ['a property that a field of a template overrides', {
    spec: { sparkConf: { 'spark.kubernetes.executor.terminationGracePeriodSeconds': '9s' } },
    executor: { terminationGracePeriodSeconds: 5 },
  }, [
    'spec.sparkConf[spark.kubernetes.executor.terminationGracePeriodSeconds] is overridden by spec.executor.terminationGracePeriodSeconds',
  ]],
  ['a name in sparkConf', {
    spec: { sparkConf: { 'spark.app.name': 'Daily' } },
  }, ['spec.sparkConf[spark.app.name] is overridden by metadata.name']],
  ['a variable twice', {
    driver: {
      envVars: {
        GOOGLE_APPLICATION_CREDENTIALS: '/x',
      }, secrets: [{ name: 's', path: '/s', secretType: SecretType.GCP_SERVICE_ACCOUNT }],
    },
  }, ['spec.driver.envVars[GOOGLE_APPLICATION_CREDENTIALS] is overridden by spec.driver.secrets[0]']],
  ['a Secret twice', {
    driver: {
      secrets: [
        { name: 's', path: '/a', secretType: SecretType.GENERIC }, { name: 's', path: '/b', secretType: SecretType.GENERIC },
      ],
    },
  }, ['spec.driver.secrets[0] is overridden by spec.driver.secrets[1]']],
  ['a property that is not Spark\'s', {
    spec: { sparkConf: { 'hive.x': '1' } },
  }, ['spec.sparkConf[hive.x] has no effect: Spark only takes properties that start with spark.']],
  ['a property that Spark sets', {
    spec: { sparkConf: { 'spark.app.id': 'mine' } },
  }, ['spec.sparkConf[spark.app.id] has no effect: Spark sets it for each submission']],
  ['client mode', {
    spec: { mode: DeployMode.CLIENT },
  }, ['spec.mode has no effect: the driver of an application always runs in its own Pod, as in cluster mode']],
  ['bounds without dynamic allocation', {
    spec: { dynamicAllocation: { maxExecutors: 3 } },
  }, ['spec.dynamicAllocation has no effect without enabled: true']],
  ['known failure R4: fields that are not read', { spec: { failureRetries: 3 } }, [
    'spec.failureRetries has no effect: spec.restartPolicy takes precedence',
  ]],
  ['a type that the file contradicts', { spec: { type: SparkApplicationType.SCALA, mainApplicationFile: 'local:///app.py' } }, [
    'spec.type is Scala, but Spark runs the main file as a Python file, by its name',
  ]],
];

test.each(WARNINGS)('warned of: %s', (_, changes, warnings) => {
  expect(sparkProperties(application(changes), { attempt: 1, submissionID: 's' }).warnings.map(problemText)).toEqual(warnings);
});
