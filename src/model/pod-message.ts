import { flag, integer, many, type Message, one, quantities, text, time } from '../kube/protobuf/message';
import { OBJECT_META } from '../kube/protobuf/meta';

/*
 * Fields of a pod that `viewOf` reads. Their numbers are those of
 * k8s.io/api/core/v1/generated.proto, and never change.
 */

const END: Message = { 1: integer('exitCode'), 3: text('reason'), 4: text('message'), 5: time('startedAt'), 6: time('finishedAt') };

const STATE: Message = {
  1: one('waiting', { 1: text('reason'), 2: text('message') }), 2: one('running', { 1: time('startedAt') }), 3: one('terminated', END),
};

const CONTAINER_STATUS: Message = { 1: text('name'), 2: one('state', STATE), 9: flag('started') };

const CONDITION: Message = { 1: text('type'), 2: text('status'), 5: text('reason'), 6: text('message') };

const CONTAINER: Message = { 1: text('name'), 7: many('env', { 1: text('name') }), 8: one('resources', { 1: quantities('limits') }) };

const SPEC: Message = {
  2: many('containers', CONTAINER), 10: text('nodeName'), 19: text('schedulerName'),
};

const STATUS: Message = {
  1: text('phase'), 2: many('conditions', CONDITION), 3: text('message'), 4: text('reason'), 6: text('podIP'), 7: time('startTime'),
  8: many('containerStatuses', CONTAINER_STATUS), 10: many('initContainerStatuses', CONTAINER_STATUS),
};

/** Protobuf message of a pod. The decoder skips the other nine tenths of its bytes. */
export const POD: Message = { 1: one('metadata', OBJECT_META), 2: one('spec', SPEC), 3: one('status', STATUS) };
