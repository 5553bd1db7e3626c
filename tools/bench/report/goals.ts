import type { Goal } from '../goal.ts';
import { goalsOf as neighboursGoals } from '../neighbours/report.ts';
import { goalsOf as populationGoals } from '../population/goals.ts';
import { judge as judgeSubmission, GOALS as SUBMISSION } from '../report.ts';
import { GOAL as SYNTH, judge as judgeSynth } from '../synth/report.ts';
import type { BenchFigures, PartFigures } from './figures.ts';
import { exactly, number, percent, short, time } from './format.ts';

/** All goals of the parts that ran, in the order of the report. */
export function goalsOf({ parts }: BenchFigures): Goal[] {
  return [
    ...(parts.submission ? submissionGoals(parts.submission.figures) : []),
    ...(parts.population ? populationGoals(parts.population.figures) : []),
    ...(parts.neighbours ? neighboursGoals(parts.neighbours.figures) : []),
    ...(parts.synth ? synthGoals(parts.synth.figures) : []),
  ];
}

function submissionGoals(figures: PartFigures['submission']): Goal[] {
  const { cpuMs, cpuMet, share, shareMet, times, timesMet } = judgeSubmission(figures);
  const { operator, bare, jvm } = figures.cluster;
  const perMinute = (perSecond: number) => short(perSecond * 60);
  return [
    {
      name: 'Submission rate', what: "Submissions a minute, as a share of a bare client's that makes the same calls", goal: `at least ${percent(SUBMISSION.shareOfBareRate)}`,
      measured: `${percent(share)} (${perMinute(operator.perSecond)} of ${perMinute(bare.perSecond)})`, met: shareMet,
    },
    ...(jvm
      ? [{
        name: 'spark-submit', what: `Submissions a minute, as a multiple of spark-submit's (Spark ${jvm.sparkVersion}, default JVM)`, goal: `at least ${SUBMISSION.timesSparkSubmit} times`,
        measured: `${number(times)} times (${perMinute(operator.perSecond)} to ${perMinute(jvm.perSecond)})`, met: timesMet!,
      }]
      : []),
    {
      name: 'CPU time of a submission', what: 'CPU time of the operator for one submission, while applications are created as fast as the API server takes them', goal: `< ${exactly(time(SUBMISSION.cpuMs))}`,
      measured: time(cpuMs), met: cpuMet,
    },
  ];
}

function synthGoals(figures: PartFigures['synth']): Goal[] {
  const { wholeMs, wholeMet } = judgeSynth(figures);
  return [{
    name: 'Synthesizing', what: `Synthesizing ${number(SYNTH.applications)} applications, start of Node included`, goal: `< ${exactly(time(SYNTH.wholeMs))}`, measured: time(wholeMs), met: wholeMet,
  }];
}
