import type { RenderSettings } from './settings';
import { batchSchedulerSettings } from '../../flags/batch-schedulers';
import { SUBMISSION_MODES } from '../../plan/settings';
import type { Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { FILE_OPTION } from '../manifests/file-option';
import { isDnsLabel } from '../../rules/names';

/** Options of `sparkctl render`. */
export const OPTIONS = {
  ...FILE_OPTION,
  'output': {
    short: 'o', value: 'FORMAT', choices: ['yaml', 'json', 'properties', 'spark-submit'], default: 'yaml', help: 'output format',
  },
  'namespace': {
    short: 'n', value: 'NAME', isIgnoredIfEmpty: true,
    help: "namespace of applications that name none; all others must be in it (default: each application's, else default)",
  },
  'mode': { value: 'MODE', choices: SUBMISSION_MODES, default: 'auto', help: "the operator's --submission-mode" },
  'uid': { value: 'UUID', help: 'metadata.uid (default: that of the manifest, else a placeholder)' },
  'submission-id': { value: 'UUID', help: 'id of the submission (default: that of the status, else a placeholder)' },
  'attempt': { value: 'N', help: 'number of the attempt (default: that of the status, else 1)' },
  'submit-time': {
    value: 'TIME', help: 'time of the submission, such as 2026-03-01T10:00:00Z (default: that of the status, else a placeholder)',
  },
  'spark-user': { value: 'NAME', default: 'spark', help: "the operator's --spark-user" },
  'enable-batch-scheduler': {
    value: 'true|false', choices: ['true', 'false'], default: 'false', help: "the operator's --enable-batch-scheduler",
  },
  'kube-scheduler-names': { value: 'NAME,…', help: "the operator's --kube-scheduler-names" },
  'default-batch-scheduler': { value: 'NAME', help: "the operator's --default-batch-scheduler" },
  'master': { value: 'URL', default: 'k8s://https://kubernetes.default.svc', help: 'API server for --output=spark-submit' },
  'templates-dir': {
    value: 'FOLDER', help: 'folder for the pod templates of --output=spark-submit (default: the command creates temporary files)',
  },
} as const;

/** Values of the options. */
export type RenderValues = Values<typeof OPTIONS>;

/**
 * Parses the options of `sparkctl render`.
 *
 * @throws UsageError that names all wrong options
 */
export function settingsOf(values: RenderValues): RenderSettings {
  const problems: string[] = [];
  const read = <T>(name: keyof RenderValues, convert: (text: string) => T | undefined, expected: string): T | undefined => {
    const text = values[name];
    const value = typeof text === 'string' ? convert(text) : undefined;
    if (text !== undefined && value === undefined) problems.push(`--${name}=${text}: write ${expected}`);
    return value;
  };
  const settings: RenderSettings = {
    namespace: read('namespace', (text) => (isDnsLabel(text) ? text : undefined), 'the name of a namespace'),
    uid: read('uid', matching(UUID), 'a UUID'),
    submissionID: read('submission-id', matching(UUID), 'a UUID'),
    attempt: read('attempt', attemptIn, 'a whole number of at least 1'),
    submitTime: read('submit-time', timeIn, 'a time such as 2026-03-01T10:00:00Z'),
    mode: values.mode,
    sparkUser: read('spark-user', matching(/^[a-z_][a-z0-9_.-]{0,31}$/i), 'the name of a user')!,
    batchSchedulers: values['enable-batch-scheduler'] === 'true'
      ? batchSchedulerSettings({
        optional: (name, convert, expected) => (values[name]
          ? read(name, convert, expected.replace(/^write /, ''))
          : undefined),
      })
      : undefined,
    master: read('master', matching(/^k8s:\/\/\S+$/), 'the URL of an API server, such as k8s://https://example.org:6443')!,
    templatesFolder: read('templates-dir', matching(/./s), 'the path of a folder'),
  };
  if (settings.templatesFolder !== undefined && values.output !== 'spark-submit') {
    problems.push('--templates-dir needs --output=spark-submit; add it');
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return settings;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function matching(pattern: RegExp): (text: string) => string | undefined {
  return (text) => (pattern.test(text) ? text : undefined);
}

function attemptIn(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

function timeIn(text: string): Date | undefined {
  const time = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.]\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? text : NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
