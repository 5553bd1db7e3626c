import type { Configuration } from './configuration';
import type { SubmissionSettings } from '../plan/settings';

/**
 * Returns the settings of submissions by the command line. The operator, its webhook and synthesis
 * use the same.
 *
 * @param webUIUrlFormat URL format of web UIs, if they have URLs
 */
export function submissionSettings(configuration: Configuration, webUIUrlFormat?: string): SubmissionSettings {
  const {
    submissionMode: mode, submissionModeAnnotation: modeAnnotation, sparkUser, sparkSubmitTimeout, webhook, batchSchedulers, partialRestart,
  } = configuration;
  const podWebhook = webhook.mode !== 'off';
  return { mode, modeAnnotation, sparkUser, sparkSubmitTimeout, webUIUrlFormat, podWebhook, partialRestart, batchSchedulers };
}
