/* Results of actions, on the pages that they concern. */
import { isShownAt, placeOf } from '../../../src/console/page/notice';

const [PI, ETL, LIST] = [['applications', 'jobs', 'pi', 'logs'], ['applications', 'jobs', 'etl'], []].map(placeOf) as [string, string, string];

test('a notice is shown on its own page, and after a success also on the list', () => {
  const shownAt = (isBad: boolean, place: string) => [PI, ETL, LIST, placeOf(['schedules'])].filter((page) => isShownAt({ text: '', isBad, place }, page));
  expect(shownAt(true, PI)).toEqual([PI]);
  expect(shownAt(false, PI)).toEqual([PI, LIST]);
  expect(shownAt(false, LIST)).toEqual([LIST]);
  expect(shownAt(false, placeOf(['schedules', 'jobs', 'nightly']))).toEqual(['schedules']);
});

test('the tabs of an object are one page', () => {
  expect(placeOf(['applications', 'jobs', 'etl', 'pods'])).toBe(ETL);
});
