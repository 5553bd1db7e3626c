import type { Case } from '../case.ts';

export const SCALA_CASES: readonly Case[] = [
  { name: 'scala-match-error', spark: '4.1.1', program: 'scala/OrderStates.scala', exitCode: 1, contains: 'scala.MatchError' },
  { name: 'scala-future', spark: '4.0.2', program: 'scala/ParallelLoads.scala', exitCode: 1, contains: 'LoadFailed' },
  { name: 'scala-initializer', spark: '4.3.0', program: 'scala/RegionReport.scala', exitCode: 1, contains: 'ExceptionInInitializerError' },
  { name: 'scala-empty-option', spark: '4.0.2', program: 'scala/TopSellers.scala', exitCode: 1, contains: 'None.get' },
  {
    name: 'scala-requirement', spark: '4.1.1', program: 'scala/DateRange.scala', args: ['2026-11-27', '2026-11-20'], exitCode: 1, contains: 'requirement failed',
  },
  { name: 'scala-other-version', spark: '3.5.8', program: 'scala/OrderStates.scala', builtFor: '4.0.2', exitCode: 1, contains: 'NoClassDefFoundError' },
];
