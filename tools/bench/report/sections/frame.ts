import type { Goal } from '../../goal.ts';
import { PARTS, type BenchFigures, type BenchMachine } from '../figures.ts';
import { gibibytes, minutes, number } from '../format.ts';
import { goalsOf } from '../goals.ts';
import { list, paragraph, plain, textTable } from '../markdown.ts';
import { anchorOf, headingsOf, reserveOf, unexplained } from '../remarks.ts';

/** How a report comes about. */
export function commandOf({ quick, profiled }: BenchFigures): string {
  const flags = [...(quick ? ['--quick'] : []), ...(profiled ? ['--profile'] : [])];
  return ['npm run bench', ...(flags.length > 0 ? ['--', ...flags] : [])].join(' ');
}

/** What it is, and what became of it. */
export function beginning(figures: BenchFigures): string[] {
  const { quick, parts, failures } = figures;
  const ran = PARTS.flatMap((name) => {
    const part = parts[name];
    return part ? [`${name} on ${part.day}, in ${minutes(part.seconds)}`] : [];
  });
  return [
    '# Speed and scale, measured', '',
    ...paragraph(`Made by \`${commandOf(figures)}\`${ran.length > 0 ? `: ${ran.join('; ')}` : ''}. The figures as JSON: [figures.json](figures.json).`),
    ...(quick ? paragraph('**A quick run**: with fewer applications than the goals are about, and for a shorter time. It shows whether something is badly wrong, and nothing else.') : []),
    ...failures.flatMap(({ part, reason }) => paragraph(`**The part \`${part}\` failed**, and its figures are missing: ${plain(reason)}`)),
    ...list(PARTS.filter((name) => !parts[name] && !failures.some(({ part }) => part === name)).map((name) => `The part \`${name}\` did not run.`)),
  ];
}

/** The main table, with links to what the remarks say of goals that were missed. */
export function goalsSection(figures: BenchFigures, remarks: string): string[] {
  const goals = goalsOf(figures);
  const open = figures.quick || figures.profiled ? [] : unexplained(goals, remarks);
  return [
    '## Goals', '', ...goalsTable(goals, remarks),
    ...(open.length > 0 ? paragraph(`The remarks do not say why this was missed: ${open.join(', ')}.`) : []),
  ];
}

/**
 * Returns the table of goals, of what was measured, and of the verdicts.
 *
 * @param remarks with the reason below a heading of the goal's name for a goal that was missed
 * @param page of the remarks, if it is not the table's own
 */
export function goalsTable(goals: readonly Goal[], remarks: string, page = ''): string[] {
  const explained = headingsOf(remarks);
  const verdict = ({ name, met }: Goal) => {
    const why = explained.has(name.toLowerCase()) ? `: [why](${page}${anchorOf(name)})` : '';
    const reserve = reserveOf(name, remarks);
    if (!met) return `**NOT MET**${why}`;
    return reserve === undefined ? 'met' : `met ${reserve}${why}`;
  };
  return textTable(['', 'goal', 'measured', ''], goals.map((one) => [one.what, one.goal, one.measured, verdict(one)]));
}

/** Where it was measured, and what. */
export function machineSection({ machine, parts: { submission, population, neighbours, synth } }: BenchFigures): string[] {
  const versions = [...new Set([submission, population, neighbours, synth].flatMap((part) => (part ? [part.version] : [])))];
  const loads = Object.entries({ submission, population, neighbours, synth }).flatMap(([name, part]) => (part ? [`${number(part.figures.machine.load, 2)} before ${name}`] : []));
  return ['## Machine', '', ...textTable(['', ''], [...machineRows(machine), ['load average of the minute', loads.join(', ')], ['operator and constructs, by a hash of what ran', versions.map(plain).join(', ')]])];
}

function machineRows({ processor, cores, memory, kernel, node, kubernetes, etcd, kwok, spark }: BenchMachine): string[][] {
  return [
    ['processors', `${cores} × ${plain(processor)}, shared by operator, control plane, simulated nodes and benchmark`],
    ['memory', gibibytes(memory)],
    ['kernel', plain(kernel)],
    ['Node', plain(node)],
    ['Kubernetes, etcd, kwok', [kubernetes, etcd, kwok].map(plain).join(', ')],
    ['Spark, as spark-submit', plain(spark)],
  ];
}

/** How the figures came about, as far as all parts have it in common. */
export function methodSection(): string[] {
  return [
    '## How it was measured', '',
    ...list([
      "Submission, population and neighbours have a control plane of their own each, of real programs: etcd, API server, controller manager, and for submission a scheduler. For population and neighbours its client limits (`--kube-api-qps`, `--kube-api-burst`) and etcd's quota are raised, or they would be what is measured. Each of these programs collects its garbage when what it holds has grown fourfold, or takes two thirds of the machine's memory (`GOGC=300`, `GOMEMLIMIT`).",
      'etcd does not wait for the disk (`--unsafe-no-fsync`): elsewhere each write takes its latency longer. For population and neighbours the API server takes 2,000 reads and 1,000 writes at a time, and the controller manager runs only the controllers of namespaces, service accounts and root certificates: no endpoints, no collection of garbage. For submission all controllers run, with 500 calls a second (by default 20).',
      'The operator is the file that the image runs, with the flags of the image and of the Deployment that `SparkOperator` writes, and with the rights of its service account.',
      'Times are what somebody sees who watches the API server, except for those that follow. CPU time is what the kernel counts for the process, user and system together.',
      "By the operator's log are: when an application is SUBMITTED, and by that submissions a minute (what was counted is checked by a list afterwards; the bare client counts when its last call but events is answered); in a restart, when health is served, caches are filled and a first namespace is at work; after a failover, when the other one leads.",
      'Caught up is when its log says that all namespaces are at work, and its metrics that its queue is empty, asked four times a second; and not before the last status is seen that was missed meanwhile.',
      'Calls and bytes are by the counters that the operator shows to Prometheus; "by anybody" is by those of the API server.',
      'Status lag is from the change of a pod, as the API server answers it or the watcher sees it, whatever is first, to the status of its application that says so, as the watcher sees that.',
      'Memory is the physical memory of the process (RSS). Event-loop delay is what the operator tells of itself: its p99 is the worst of the spans between two looks (15 s; 0.25 s in a restart), in which a long block counts once, so that the maximum is what matters.',
      'p50, p99 and max are by the nearest rank: each is one of the measured values. Of less than a hundred, such as what happens in the steady state of the smaller population, p99 is the greatest.',
      'Warm-ups are not counted, except where it says so.',
    ]),
  ];
}

/** What must not be concluded. */
export function limitsOfTheReport(): string[] {
  return [
    '## What this report cannot say', '',
    ...list([
      'How long a job takes until it computes: nodes are simulated. There are no images to pull, no containers to start, no JVM of a driver, no network between pods.',
      'What a managed or replicated control plane does: here one API server and one etcd share the machine, and a few processors, with the operator, without a network between. Elsewhere calls take longer, and more of them can be made.',
      "What Spark's drivers ask of the API server: they are played, with the creation and deletion of executors and nothing else.",
      'What admission webhooks, audit logs, quotas and policies of a cluster add to each call.',
      'Whether memory grows over days: the steady state lasts for minutes.',
      'Small differences: a machine that others share too has noise of several percent. The ratios within one run are more to be trusted than its absolute figures.',
      'What a scheduler takes beside thousands of pods, and how long they wait for it: the population has none.',
      'What a disk costs that etcd waits for, and controllers that a small cluster does not get round to.',
      'How other operators do on this machine: they did not run.',
    ]),
  ];
}

/** What speaks against the figures. */
export function doubtsSection(doubts: readonly string[]): string[] {
  return ['## Doubts', '', ...(doubts.length === 0 ? ['Nothing that the benchmark checks speaks against these figures.', ''] : list(doubts.map(plain)))];
}
