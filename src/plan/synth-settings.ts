import type { PlanSettings } from './plan-application';

/**
 * Settings of an operator that runs as many applications as an operator can: with its webhook for
 * pods and batch schedulers. Synthesis rejects only what no operator runs.
 */
export const SYNTH_SETTINGS: PlanSettings = {
  submission: { mode: 'auto', sparkUser: 'spark', podWebhook: true },
};
