import { QUIET } from '../case.ts';
import type { Case } from '../case.ts';

/** hadoop-aws and Amazon's client, for the Hadoop of each version of Spark. */
const S3A = {
  '3.5.8': ['org.apache.hadoop:hadoop-aws:3.3.4', 'com.amazonaws:aws-java-sdk-bundle:1.12.262'],
  '4.1.1': ['org.apache.hadoop:hadoop-aws:3.4.2', 'software.amazon.awssdk:bundle:2.29.52'],
} as const;

/** One try, so that a recording does not take minutes. */
const ONE_TRY = {
  'spark.hadoop.fs.s3a.attempts.maximum': '1', 'spark.hadoop.fs.s3a.retry.limit': '1', 'spark.hadoop.fs.s3a.connection.establish.timeout': '2000',
};
const ENDPOINT = {
  ...ONE_TRY, 'spark.hadoop.fs.s3a.endpoint': 'http://127.0.0.1:9000', 'spark.hadoop.fs.s3a.path.style.access': 'true',
  'spark.hadoop.fs.s3a.connection.ssl.enabled': 'false', 'spark.hadoop.fs.s3a.endpoint.region': 'eu-central-1',
};
/** The names of an account that does not exist, from Amazon's documentation. */
const KEYS = { AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' };
const READ = { program: 'python/read_parquet.py', args: ['s3a://sales-raw/2026/11/27'] } as const;

export const STORAGE_CASES: readonly Case[] = [
  { name: 's3-missing-jar', spark: '4.1.1', ...READ, exitCode: 1, contains: 'org.apache.hadoop.fs.s3a.S3AFileSystem not found' },
  { name: 's3-missing-jar', spark: '3.5.8', ...READ, conf: QUIET, exitCode: 1, contains: 'org.apache.hadoop.fs.s3a.S3AFileSystem not found' },
  { name: 's3-no-credentials', spark: '3.5.8', ...READ, jars: S3A['3.5.8'], conf: { ...ENDPOINT, ...QUIET }, exitCode: 1, contains: 'No AWS Credentials' },
  { name: 's3-access-denied', spark: '3.5.8', ...READ, jars: S3A['3.5.8'], conf: { ...ENDPOINT, ...QUIET }, environment: KEYS, exitCode: 1, contains: '403' },
  { name: 's3-access-denied', spark: '4.1.1', ...READ, jars: S3A['4.1.1'], conf: ENDPOINT, environment: KEYS, exitCode: 1, contains: '403' },
  {
    name: 's3-no-such-bucket', spark: '4.1.1', ...READ, args: ['s3a://sales-row/2026/11/27'], jars: S3A['4.1.1'], conf: { ...ENDPOINT, ...QUIET }, environment: KEYS,
    exitCode: 1, contains: 'sales-row',
  },
  {
    name: 's3-unknown-endpoint', spark: '3.5.8', ...READ, jars: S3A['3.5.8'], environment: KEYS,
    conf: { ...ENDPOINT, 'spark.hadoop.fs.s3a.endpoint': 'http://minio.storage.svc:9000' }, exitCode: 1, contains: 'UnknownHost',
  },
  {
    name: 'disk-full-shuffle', spark: '4.1.1', program: 'python/large_shuffle.py', exitCode: 1, contains: 'No space left on device',
    setup: 'local=$root/var/data/$local_dir; mkdir -p $local; mount -t tmpfs -o size=24m,mode=1777 tmpfs $local',
  },
  {
    name: 'disk-full-shuffle', spark: '3.5.8', program: 'python/large_shuffle.py', conf: QUIET, exitCode: 1, contains: 'No space left on device',
    setup: 'local=$root/var/data/$local_dir; mkdir -p $local; mount -t tmpfs -o size=24m,mode=1777 tmpfs $local',
  },
  {
    name: 'disk-full-output', spark: '4.0.2', program: 'python/write_report.py', conf: QUIET, exitCode: 1, contains: 'No space left on device',
    setup: 'mkdir -p $root/data/reports; mount -t tmpfs -o size=8m,mode=1777 tmpfs $root/data/reports',
  },
];
