import { ANNOTATION_SUBMISSION_MODE } from '../../src/api/labels';
import { chooseSubmission, requestedMode, SUBMISSION_MODE_FLAG } from '../../src/plan/choose';
import type { Choice, ChoiceInput } from '../../src/plan/choose';
import type { SubmissionMode } from '../../src/plan/settings';
import type { SubmissionReason } from '../../src/plan/native/reasons-against';

const LOCAL: SubmissionReason = { field: 'spec.mainApplicationFile', value: 'file:///a.jar', reason: 'is a local file', remedy: 'upload it' };
const PATTERN: SubmissionReason = { field: 'spec.deps.jars', value: 's3a://b/*', reason: 'is a pattern', remedy: 'name each file' };
const PACKAGES: SubmissionReason = { field: 'spec.deps.packages', value: 'g:a:1', reason: 'would be loaded', remedy: 'put them into the image' };

const asked = (mode: SubmissionMode, field = SUBMISSION_MODE_FLAG): Pick<ChoiceInput, 'requested'> => ({ requested: { mode, field } });

function choose(input: Partial<ChoiceInput>): Choice {
  return chooseSubmission({ ...asked('auto'), againstNative: [], againstSparkSubmit: [], ...input });
}

function refusal(input: Partial<ChoiceInput>): string {
  const choice = choose(input);
  return choice.kind === 'refused' ? choice.error.message : choice.kind;
}

test.each<[SubmissionMode, readonly SubmissionReason[], Choice['kind']]>([
  ['auto', [], 'native'],
  ['auto', [LOCAL], 'spark-submit'],
  ['native', [], 'native'],
  ['native', [LOCAL], 'refused'],
  ['spark-submit', [], 'spark-submit'],
  ['spark-submit', [LOCAL], 'spark-submit'],
])('mode %s, against native: %j → %s', (mode, againstNative, kind) => {
  expect(choose({ ...asked(mode), againstNative }).kind).toBe(kind);
});

test('what spark-submit must not do is no obstacle for native submission', () => {
  expect(choose({ againstSparkSubmit: [PACKAGES] }).kind).toBe('native');
});

describe('a refusal names all reasons and what to do', () => {
  test('native', () => {
    expect(refusal({ ...asked('native'), againstNative: [LOCAL] })).toBe(
      'spec.mainApplicationFile = "file:///a.jar" is a local file; upload it. Or write auto for --submission-mode: spark-submit could submit it',
    );
  });

  test('neither way', () => {
    expect(refusal({ againstNative: [LOCAL], againstSparkSubmit: [PACKAGES] })).toBe(
      'spec.deps.packages = "g:a:1" would be loaded; put them into the image. '
      + 'It needs spark-submit because spec.mainApplicationFile = "file:///a.jar" is a local file',
    );
  });

  test('a field that neither way can submit is explained once', () => {
    expect(refusal({ againstNative: [LOCAL], againstSparkSubmit: [{ ...LOCAL, remedy: 'set an upload path' }] })).toBe(
      'spec.mainApplicationFile = "file:///a.jar" is a local file; set an upload path',
    );
  });

  test('of many reasons the first five', () => {
    const message = refusal({ ...asked('native'), againstNative: Array.from({ length: 9 }, () => PATTERN), againstSparkSubmit: [PACKAGES] });

    expect(message.match(/is a pattern/g)).toHaveLength(5);
    expect(message).toMatch(/There are 4 more reasons$/);
  });

  test('without secrets, in all of them', () => {
    const secret: SubmissionReason = { ...PATTERN, value: 's3a://me:s3cr3t@host/*.jar' };
    const choice = choose({ againstNative: [secret, secret] });

    expect(refusal({ ...asked('native'), againstNative: [LOCAL, secret] })).not.toContain('s3cr3t');
    expect(choice).toMatchObject({ kind: 'spark-submit', because: expect.not.stringContaining('s3cr3t') });
  });
});

test('the reason for spark-submit is reported', () => {
  expect(choose({ againstNative: [LOCAL] })).toEqual({ kind: 'spark-submit', because: 'spec.mainApplicationFile = "file:///a.jar" is a local file' });
  expect(choose(asked('spark-submit'))).toEqual({ kind: 'spark-submit', because: '--submission-mode requests it' });
});

describe('the mode', () => {
  const annotated = (value: string) => requestedMode({ [ANNOTATION_SUBMISSION_MODE]: value }, { mode: 'native' });

  test('is the operator\'s unless the application has one', () => {
    expect(requestedMode(undefined, { mode: 'native' })).toEqual({ mode: 'native', field: '--submission-mode' });
    expect(annotated('spark-submit')).toEqual({ mode: 'spark-submit', field: 'metadata.annotations[sparkoperator.k8s.io/submission-mode]' });
  });

  test('is not chosen by applications where the operator does not allow it', () => {
    const settings = { mode: 'native', modeAnnotation: false } as const;
    expect(requestedMode(undefined, settings)).toEqual({ mode: 'native', field: '--submission-mode' });
    expect(() => requestedMode({ [ANNOTATION_SUBMISSION_MODE]: 'native' }, settings)).toThrow(
      'metadata.annotations[sparkoperator.k8s.io/submission-mode] = "native" is not allowed by the operator (--enable-submission-mode-annotation=false); remove it, or ask who looks after the operator',
    );
  });

  test.each(['', 'Native', 'client'])('%j is none', value => {
    expect(() => annotated(value)).toThrow(/is not a way to submit; write auto, native, spark-submit, or remove it$/);
  });
});
