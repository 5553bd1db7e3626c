import { ApplicationState } from '../../../api/states';
import type { OwnedObject } from '../../owned/resources';
import type { OwnedSettings } from '../../owned/settings';
import { stateOf, type SparkApplication } from '../../../model/spark-application';
import { driverDisruptionBudget } from './disruption-budget';
import { driverPorts } from './driver-ports';
import { webUI, type WebUI } from './web-ui';
import { withoutEffect } from './without-effect';

/** What must exist besides the driver. */
export interface Wanted {
  /** All objects, those first that others refer to. */
  readonly objects: readonly OwnedObject[];
  /** Those of the web UI. */
  readonly webUI?: WebUI;
  /** What the user wrote without the effect that it seems to have; sentences. */
  readonly withoutEffect: readonly string[];
}

/**
 * The states in which there is a driver to be reached and to be kept. In all others nothing is needed: what stayed would be of no use, and with thousands of
 * finished applications in a namespace each pod would be started with the variables of all their Services.
 */
const WITH_DRIVER: readonly ApplicationState[] = [ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN];

/** Whether an application in this state has a driver to be reached and to be kept. */
export function hasDriver(state: ApplicationState): boolean {
  return WITH_DRIVER.includes(state);
}

/** The states in which a driver may still be there, and is to go: what it was made with stays until it is gone, or has ended. */
const ENDING: readonly ApplicationState[] = [ApplicationState.SUSPENDING, ApplicationState.INVALIDATING, ApplicationState.FAILING];

/** Whether what a driver was made with, such as its group of pods, is still needed in this state. */
export function isWithDriver(state: ApplicationState): boolean {
  return hasDriver(state) || ENDING.includes(state);
}

/** What must exist besides the driver in a state of an application. Pure. */
export function wantedOf(application: SparkApplication, settings: OwnedSettings, state: ApplicationState = stateOf(application)): Wanted {
  if (!hasDriver(state)) return { objects: [], withoutEffect: [] };
  const ui = webUI(application, settings);
  const budget = driverDisruptionBudget(application, settings);
  return {
    objects: [...budget ? [budget] : [], ...ui ? [ui.service] : [], ...ui?.route ? [ui.route] : [], ...driverPorts(application, settings)],
    ...ui && { webUI: ui },
    withoutEffect: withoutEffect(application, settings),
  };
}
