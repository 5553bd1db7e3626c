/** Result of an action, with the page where the user started it. */
export interface Notice {
  readonly text: string;
  readonly isBad: boolean;
  /** As `placeOf` returns it. */
  readonly place: string;
}

/** Returns the page of a route, without the tab of an object. */
export function placeOf([view = 'applications', ...object]: readonly string[]): string {
  return [view, ...object.slice(0, 2)].join('/');
}

/**
 * Whether a page shows a notice: that of its own action, and a list that of a successful action on
 * one of its objects, because a deletion leads there.
 */
export function isShownAt({ isBad, place }: Notice, current: string): boolean {
  return place === current || (!isBad && place.startsWith(`${current}/`));
}
