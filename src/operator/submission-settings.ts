import type { Configuration } from '../flags/configuration';
import { webUIUrlFormat, type OwnedSettings } from './owned/settings';
import type { SubmissionSettings } from '../plan/settings';

/** What each application gets besides its driver, as the command line says. */
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

/** How applications are submitted, as the command line says. The webhook answers by the same. */
export function submissionSettings(configuration: Configuration): SubmissionSettings {
  const { submissionMode: mode, submissionModeAnnotation: modeAnnotation, sparkUser, sparkSubmitTimeout, webhook, batchSchedulers } = configuration;
  return {
    mode, modeAnnotation, sparkUser, sparkSubmitTimeout, webUIUrlFormat: webUIUrlFormat(ownedSettings(configuration)),
    podWebhook: webhook.mode !== 'off', batchSchedulers,
  };
}
