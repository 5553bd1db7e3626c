import type { Configuration } from '../flags/configuration';
import { webUIUrlFormat, type OwnedSettings } from './owned/settings';
import type { SubmissionSettings } from '../plan/settings';

/**
 * Returns the settings of the objects of applications other than the driver, by the command line.
 */
export function ownedSettings({ ui, driverDisruptionBudget, removeOrphans, batchSchedulers }: Configuration): OwnedSettings {
  return {
    uiService: ui.service,
    driverPodDisruptionBudget: driverDisruptionBudget,
    ingress: ui.ingress,
    driverIngress: ui.driverIngress,
    removeOrphans,
    batchSchedulers,
  };
}

/** Returns the settings of submissions by the command line. The webhook uses the same. */
export function submissionSettings(configuration: Configuration): SubmissionSettings {
  const {
    submissionMode: mode, submissionModeAnnotation: modeAnnotation, sparkUser, sparkSubmitTimeout, webhook, batchSchedulers,
  } = configuration;
  return {
    mode, modeAnnotation, sparkUser, sparkSubmitTimeout, webUIUrlFormat: webUIUrlFormat(ownedSettings(configuration)),
    podWebhook: webhook.mode !== 'off', batchSchedulers,
  };
}
