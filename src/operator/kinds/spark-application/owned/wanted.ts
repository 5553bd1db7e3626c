import { ApplicationState } from '../../../../api/states';
import type { OwnedObject } from '../../../owned/resources';
import type { OwnedSettings } from '../../../owned/settings';
import { stateOf, type SparkApplication } from '../../../../model/spark-application';
import { driverDisruptionBudget } from './disruption-budget';
import { driverPorts } from './driver-ports';
import { webUI, type WebUI } from './web-ui';
import { withoutEffect } from './without-effect';

/** Objects that an application needs, other than its driver. */
export interface Wanted {
  /** All objects. An object precedes the objects that refer to it. */
  readonly objects: readonly OwnedObject[];
  /** Objects of the web UI. */
  readonly webUI?: WebUI;
  /** Settings without the effect that they seem to have; sentences. */
  readonly withoutEffect: readonly string[];
}

/**
 * States in which users need to reach and to keep a driver. In all others the application needs no
 * objects. With thousands of finished applications in a namespace, each new pod would get the
 * environment variables of all their Services.
 */
const WITH_DRIVER: readonly ApplicationState[] = [ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN];

/** Whether an application in this state has a driver that users need to reach and to keep. */
export function hasDriver(state: ApplicationState): boolean {
  return WITH_DRIVER.includes(state);
}

/**
 * States in which a driver can still exist although the operator ends it. The objects that it was
 * created with stay until it is gone or has ended.
 */
const ENDING: readonly ApplicationState[] = [ApplicationState.SUSPENDING, ApplicationState.INVALIDATING, ApplicationState.FAILING];

/**
 * Whether a driver in this state still needs the objects that it was created with, such as its
 * PodGroup.
 */
export function isWithDriver(state: ApplicationState): boolean {
  return hasDriver(state) || ENDING.includes(state);
}

/**
 * Whether the driver has started, so that its ports can be reached. A driver that waits has no
 * Services for them yet: they would only make its submission slower.
 */
function hasStarted({ status }: SparkApplication, state: ApplicationState): boolean {
  return state !== ApplicationState.SUBMITTED || status?.driverInfo.webUIServiceName !== undefined;
}

/** Returns the objects that an application needs in a state, other than the driver. Pure. */
export function wantedOf(application: SparkApplication, settings: OwnedSettings, state: ApplicationState = stateOf(application)): Wanted {
  if (!hasDriver(state)) return { objects: [], withoutEffect: [] };
  const budget = driverDisruptionBudget(application, settings);
  const isReachable = hasStarted(application, state);
  const ui = isReachable ? webUI(application, settings) : undefined;
  const ports = isReachable ? driverPorts(application, settings) : [];
  return {
    objects: [...budget ? [budget] : [], ...ui ? [ui.service] : [], ...ui?.route ? [ui.route] : [], ...ports],
    ...ui && { webUI: ui },
    withoutEffect: withoutEffect(application, settings),
  };
}
