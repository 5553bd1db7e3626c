import { PARTS, type BenchFigures, type BenchMachine } from '../figures.ts';
import { gibibytes, minutes, number } from '../format.ts';
import { goalsOf, type Goal } from '../goals.ts';
import { list, paragraph, plain, textTable } from '../markdown.ts';

const COMMANDS = { full: 'npm run bench', quick: 'npm run bench -- --quick' } as const;

/** What it is, and what became of it. */
export function beginning(figures: BenchFigures): string[] {
  const { quick, parts, failures } = figures;
  const ran = PARTS.flatMap((name) => {
    const part = parts[name];
    return part ? [`${name} on ${part.day}, in ${minutes(part.seconds)}`] : [];
  });
  return [
    '# Speed and scale, measured', '',
    ...paragraph(`Made by \`${quick ? COMMANDS.quick : COMMANDS.full}\`${ran.length > 0 ? `: ${ran.join('; ')}` : ''}. The figures as JSON: [figures.json](figures.json).`),
    ...(quick ? paragraph('**A quick run**: with fewer applications than the goals are about, and for a shorter time. It shows whether something is badly wrong, and nothing else.') : []),
    ...failures.flatMap(({ part, reason }) => paragraph(`**The part \`${part}\` failed**, and its figures are missing: ${plain(reason)}`)),
    ...list(PARTS.filter((name) => !parts[name] && !failures.some(({ part }) => part === name)).map((name) => `The part \`${name}\` did not run.`)),
  ];
}

/** The main table. */
export function goalsSection(figures: BenchFigures): string[] {
  return ['## Goals', '', ...goalsTable(goalsOf(figures))];
}

/** Goal, what was measured, and what became of it. */
export function goalsTable(goals: readonly Goal[]): string[] {
  return textTable(['', 'goal', 'measured', ''], goals.map(({ what, goal, measured, met }) => [what, goal, measured, met ? 'met' : '**NOT MET**']));
}

/** Where it was measured. */
export function machineSection({ machine, parts: { submission, population, synth } }: BenchFigures): string[] {
  const loads = Object.entries({ submission, population, synth }).flatMap(([name, part]) => (part ? [`${number(part.figures.machine.load, 2)} before ${name}`] : []));
  return ['## Machine', '', ...textTable(['', ''], [...machineRows(machine), ['load average of the minute', loads.join(', ')]])];
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
      "Submission and population have a control plane of their own each, of real programs: etcd, API server, scheduler, controller manager. For the population its client limits (`--kube-api-qps`, `--kube-api-burst`) and etcd's quota are raised, or they would be what is measured.",
      'The operator is the file that the image runs, with the flags of the image and of the Deployment that `SparkOperator` writes, and with the rights of its service account.',
      'Times are what somebody sees who watches the API server, and not what the operator says of itself. CPU time is what the kernel counts for the process, user and system together.',
      'Calls and bytes are by the counters that the operator shows to Prometheus; "by anybody" is by those of the API server.',
      'Status lag is from the change of a pod, as the watcher sees it, to the status of its application that says so, as the watcher sees that.',
      'Memory is the physical memory of the process (RSS). Event-loop delay is what the operator tells of itself.',
      'p50, p99 and max are by the nearest rank: each is one of the measured values.',
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
      'How other operators do on this machine: they did not run.',
    ]),
  ];
}

/** What speaks against the figures. */
export function doubtsSection(doubts: readonly string[]): string[] {
  return ['## Doubts', '', ...(doubts.length === 0 ? ['Nothing that the benchmark checks speaks against these figures.', ''] : list(doubts.map(plain)))];
}
