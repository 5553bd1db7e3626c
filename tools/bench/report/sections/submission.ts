import { median, type CallFigures } from '../../measurements.ts';
import { GOALS, judge } from '../../report.ts';
import type { PartFigures } from '../figures.ts';
import { exactly, number, percent, short, spread, time } from '../format.ts';
import { paragraph, table } from '../markdown.ts';
import { show, type Plot } from '../plots.ts';
import { profileLines } from './profile.ts';

/** What a native submission costs, beside who makes the same calls and beside who starts a JVM. */
export function submissionSection(figures: PartFigures['submission'], plots: readonly Plot[]): string[] {
  const { applications, workers, cluster } = figures;
  const { operator, bare, live, single, jvm } = cluster;
  const { share, times, jvmMs, sameCalls, isLimit, rounds } = judge(figures);
  const perMinute = (perSecond: number) => short(perSecond * 60);
  return [
    '## Submission', '',
    ...paragraph(
      `${number(applications)} applications while they are created, and what is there before for the comparison of rates, ${workers} at the same time, on a control plane without nodes:`,
      'an application counts as submitted when its status says SUBMITTED and ConfigMap, Service and driver Pod are there.',
      `The bare client replays the calls that were recorded of one submission, with the same bytes and the same overlaps, from a process of its own${isLimit
        ? ': it is what this API server allows here.'
        : '. Here the operator was quicker at some time, in its turns or while applications were created, so that it is not the limit of this API server, and only says that the operator keeps up with somebody who does nothing but call.'}`,
    ),
    ...paragraph(
      `Operator and bare client take turns of two seconds on applications that were there before, so that whatever else happens on the machine hits both: ${rounds.count} turns each, in which the operator submitted ${number(operator.applications)} and the bare client ${number(bare.applications)}.`,
      `Round by round the operator's rate was ${percent(rounds.least)} to ${percent(rounds.most)} of the bare client's, ${percent(rounds.middle)} in the middle; the goal is about all turns together.`,
      sameCalls ? 'By the count of the API server both made the same calls in these turns.' : 'By the count of the API server they did not make the same calls in these turns: see the doubts.',
    ),
    ...(jvm
      ? paragraph(
        `spark-submit is Spark ${jvm.sparkVersion}'s \`SparkSubmit\` in cluster mode: ${jvm.runs.length} submissions, ${jvm.parallel} at the same time, with the default options of the JVM and without an archive of classes, in the same run and against the same API server.`,
        'The launcher that `bin/spark-submit` starts first, another JVM, is left out, and nobody writes a status: both are in favour of spark-submit.',
      )
      : ['spark-submit was left out.', '']),
    ...table(['', 'a minute', 'CPU time of one submission', 'as against the operator'], [
      ['bare client, the same calls', perMinute(bare.perSecond), time(bare.cpu), `${percent(bare.perSecond / operator.perSecond)} of its rate`],
      ['**operator**', `**${perMinute(operator.perSecond)}**`, `**${time(operator.cpu)}**`, `${percent(share)} of the bare client's rate`],
      ...(jvm ? [[`spark-submit, ${jvm.parallel} JVMs at the same time`, perMinute(jvm.perSecond), time(jvmMs), `1/${number(times)} of its rate, ${number(jvmMs! / operator.cpu)} times its CPU time`]] : []),
    ]),
    ...show(plots, 'submission-rate', 'submission-cpu'),
    ...table(['Operator', 'a minute', 'CPU time of one', 'creation to driver: p50 · p99 · max'], [
      ['many at once, as fast as the API server takes them', perMinute(live.perSecond), `${time(live.cpu.user + live.cpu.system)} (goal < ${exactly(time(GOALS.cpuMs))}; user ${time(live.cpu.user)})`, spread(live.toDriver)],
      ['one after the other', '', time(single.cpu.user + single.cpu.system), spread(single.toDriver)],
    ]),
    ...paragraph('From the answer to the creation of an application until an onlooker sees its driver Pod by a watch. Many at once come faster than anybody can deal with them, so that most of that time is waiting.'),
    ...(jvm ? paragraph(`One run of spark-submit took ${time(median(jvm.wholes))} in the middle, from ${time(Math.min(...jvm.wholes))} to ${time(Math.max(...jvm.wholes))}.`) : []),
    ...show(plots, 'creation-to-driver'),
    'Calls for one application:', '',
    ...table(['', 'operator', 'bare client', "both in their turns, by the API server's count"], cluster.calls.filter(({ operator: own, bare: of }) => own > 0 || of > 0).map(callRow)),
    ...profileLines(cluster.profile, 'many at once'),
  ];
}

function callRow({ call, operator, bare, server }: CallFigures): string[] {
  return [call, number(operator, 2), number(bare, 2), `${number(server.operator, 2)}, ${number(server.bare, 2)}`];
}
