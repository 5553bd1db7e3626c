import { bytes, count, flag, integer, many, type Message, one, text, texts, time } from './message';

/*
 * The field numbers are those of apimachinery's generated.proto (pkg/apis/meta/v1 and pkg/runtime);
 * they never change.
 */

const OWNER_REFERENCE: Message = {
  1: text('kind'), 3: text('name'), 4: text('uid'), 5: text('apiVersion'), 6: flag('controller'), 7: flag('blockOwnerDeletion'),
};

/**
 * Metadata of an object, without fields that the operator does not use: annotations, finalizers and
 * above all managed fields.
 */
export const OBJECT_META: Message = {
  1: text('name'), 3: text('namespace'), 5: text('uid'), 6: text('resourceVersion'), 8: time('creationTimestamp'),
  9: time('deletionTimestamp'), 11: texts('labels'), 13: many('ownerReferences', OWNER_REFERENCE),
};

/** Metadata of a list. */
export const LIST_META: Message = { 2: text('resourceVersion'), 3: text('continue'), 4: count('remainingItemCount') };

const STATUS_CAUSE: Message = { 1: text('reason'), 2: text('message'), 3: text('field') };

const STATUS_DETAILS: Message = {
  1: text('name'), 3: text('kind'), 4: many('causes', STATUS_CAUSE), 5: count('retryAfterSeconds'), 6: text('uid'),
};

/** Error answer of the API server. */
export const STATUS: Message = {
  2: text('status'), 3: text('message'), 4: text('reason'), 5: one('details', STATUS_DETAILS), 6: integer('code'),
};

const TYPE_META: Message = { 1: text('apiVersion'), 2: text('kind') };

/** Envelope of all answers of the API server. */
export const UNKNOWN: Message = { 1: one('typeMeta', TYPE_META), 2: bytes('raw') };

const RAW_EXTENSION: Message = { 1: bytes('raw') };

/** An event of a watch. */
export const WATCH_EVENT: Message = { 1: text('type'), 2: one('object', RAW_EXTENSION) };
