import type { PlanSettings } from './plan-application';

/**
 * Settings of an operator that accepts as many applications as possible: with its webhook for pods
 * and batch schedulers. Synthesis rejects only applications that no operator accepts.
 */
export const SYNTH_SETTINGS: PlanSettings = {
  submission: { mode: 'auto', sparkUser: 'spark', podWebhook: true, batchSchedulers: { kubeSchedulers: [] } },
};
