import type { Case } from '../case.ts';

export const STREAMING_CASES: readonly Case[] = [
  { name: 'streaming-socket-source', spark: '3.5.8', program: 'streaming/socket_source.py', exitCode: 1, contains: 'StreamingQueryException' },
  { name: 'streaming-malformed-events', spark: '4.1.1', program: 'streaming/malformed_events.py', exitCode: 1, contains: 'StreamingQueryException' },
  { name: 'streaming-foreach-batch', spark: '4.0.2', program: 'streaming/foreach_batch.py', exitCode: 1, contains: 'ValueError' },
  { name: 'streaming-foreach-batch', spark: '3.5.8', program: 'streaming/foreach_batch.py', exitCode: 1, contains: 'ValueError' },
  { name: 'streaming-changed-checkpoint', spark: '4.3.0', program: 'streaming/changed_checkpoint.py', exitCode: 1, contains: 'STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE' },
  { name: 'streaming-kafka-missing', spark: '3.5.8', program: 'streaming/kafka_source.py', exitCode: 1, contains: 'Failed to find data source: kafka' },
  { name: 'streaming-kafka-missing', spark: '4.1.1', program: 'streaming/kafka_source.py', exitCode: 1, contains: 'Failed to find data source: kafka' },
];
