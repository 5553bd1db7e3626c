import type { CallCounts } from './api-counts.ts';
import { median } from './measurements.ts';

/** What was done in a turn. Times in milliseconds. */
export interface Turn {
  /** Applications that were through. */
  readonly done: number;
  readonly time: number;
  /** CPU time. */
  readonly cpu: number;
}

/** What a player did in its turns. */
export interface TurnFigures {
  readonly perSecond: number;
  /** CPU time for one application in milliseconds. */
  readonly cpu: number;
  readonly applications: number;
  /** Applications a second in each turn. Turns of the same index follow each other: they are a round. */
  readonly turns: readonly number[];
}

/** The same, with what is compared afterwards. */
export interface PlayerFigures extends TurnFigures {
  /** Calls for one application in these turns, by the API server's count, with what others called meanwhile. */
  readonly calls: CallCounts;
}

/** What a player did in its turns. @param calls in all of them */
export function figuresOf(turns: readonly Turn[], calls: CallCounts): PlayerFigures {
  const sum = (of: (turn: Turn) => number) => turns.reduce((all, turn) => all + of(turn), 0);
  const applications = sum(({ done }) => done);
  return {
    perSecond: applications * 1000 / sum(({ time }) => time),
    cpu: sum(({ cpu }) => cpu) / applications,
    applications,
    turns: turns.map(({ done, time }) => done * 1000 / time),
    calls: new Map([...calls].map(([call, count]) => [call, count / applications])),
  };
}

/** The operator's rate as a share of the bare client's, round by round. */
export interface Rounds {
  readonly count: number;
  readonly least: number;
  /** As many are below it as are above. */
  readonly middle: number;
  readonly most: number;
}

/** How much the rounds differ: what is within that says nothing. A round in which the bare client got nothing done is left out. */
export function roundsOf(operator: Pick<TurnFigures, 'turns'>, bare: Pick<TurnFigures, 'turns'>): Rounds {
  const shares = operator.turns.map((rate, index) => rate / bare.turns[index]!).filter(Number.isFinite);
  return { count: operator.turns.length, least: Math.min(...shares), middle: median(shares), most: Math.max(...shares) };
}
