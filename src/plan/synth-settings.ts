import type { PlanSettings } from './plan-application';
import { reasonsAgainstSparkSubmit } from './spark-submit/reasons-against';

/**
 * Settings of an operator that runs as many applications as an operator can: with its webhook for
 * pods, batch schedulers and spark-submit. Synthesis rejects only what no operator runs.
 */
export const SYNTH_SETTINGS: PlanSettings = {
  submission: { mode: 'auto', sparkUser: 'spark', podWebhook: true },
  againstSparkSubmit: (prepared) => reasonsAgainstSparkSubmit(prepared, { folders: ['/'], packages: true, hadoop: true }),
};
