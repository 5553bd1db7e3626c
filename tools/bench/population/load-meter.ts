import { monitorEventLoopDelay } from 'node:perf_hooks';
import { busyProcessors, difference, memoryOf, peakMemoryOf, usage } from '../machine.ts';
import { median } from '../measurements.ts';
import { countsBetween, NOTHING, type Scraped } from '../operator-metrics.ts';
import type { Operator } from '../operator.ts';
import type { Load } from './measurements.ts';
import { loadByProgram } from './processors.ts';
import type { Sample } from './series.ts';

/** As often as Prometheus does it by the example of its own documentation; asking takes the operator time, the more objects there are. */
const SCRAPE_INTERVAL = 15_000;
const MEMORY_INTERVAL = 1_000;
/** Node measures from one look to the next: that they are so many milliseconds apart is no lateness. */
const RESOLUTION = 10;

/** Looks at the operator, and at the machine, over a span of time. */
export class LoadMeter {
  private readonly operator: Operator;
  private readonly began = performance.now();
  private readonly usageBefore = usage();
  private readonly collectionsBefore: number;
  private readonly cpuBefore;
  private readonly before: Scraped;
  private readonly lateness = monitorEventLoopDelay({ resolution: RESOLUTION });
  private readonly memory: number[] = [];
  private readonly scraped: Scraped[] = [];
  private readonly noted: Sample[] = [];
  private readonly timers: readonly NodeJS.Timeout[];

  private constructor(operator: Operator, before: Scraped) {
    this.operator = operator;
    this.before = before;
    this.collectionsBefore = operator.collections.length;
    this.cpuBefore = before === NOTHING ? { user: 0, system: 0 } : operator.cpu();
    this.note(before);
    this.lateness.enable();
    this.timers = [
      setInterval(() => this.memory.push(memoryOf(operator.pid) ?? 0), MEMORY_INTERVAL),
      // That it is gone is noticed elsewhere.
      setInterval(() => void this.look().catch(() => undefined), SCRAPE_INTERVAL),
    ];
  }

  /** Begins to look. */
  static async begin(operator: Operator): Promise<LoadMeter> {
    // What it tells of its event loop is since it was asked last.
    return new LoadMeter(operator, await operator.metrics());
  }

  /** Looks at an operator from the start of its process, which does not answer yet. */
  static fromStart(operator: Operator): LoadMeter {
    return new LoadMeter(operator, NOTHING);
  }

  /** Looks once more. */
  async look(): Promise<Scraped> {
    const scraped = await this.operator.metrics();
    this.scraped.push(scraped);
    this.note(scraped);
    return scraped;
  }

  /** What was seen, at the begin and each time that was looked. */
  get samples(): readonly Sample[] {
    return this.noted;
  }

  /** Ends to look. */
  async end(): Promise<Load> {
    const { operator, usageBefore } = this;
    const milliseconds = performance.now() - this.began;
    for (const timer of this.timers) clearInterval(timer);
    // As long as it has something to do; afterwards its queue is empty.
    await this.look();
    this.lateness.disable();
    const usageAfter = usage();
    // What it writes behind the status, such as events, is part of the work.
    await operator.idle();
    const cpu = difference(operator.cpu(), this.cpuBefore);
    const memory = [...this.memory, memoryOf(operator.pid)!];
    const last = await operator.metrics();
    const all = [...this.scraped, last];
    const depths = all.map(({ queue }) => queue);
    return {
      milliseconds,
      cpu,
      memory: { peak: peakMemoryOf(operator.pid)!, median: median(memory) },
      eventLoopDelay: Math.max(...all.map(({ eventLoopDelay }) => eventLoopDelay)),
      eventLoopBlocked: Math.max(...all.map(({ eventLoopBlocked }) => eventLoopBlocked)),
      calls: countsBetween(this.before.calls, last.calls),
      received: countsBetween(this.before.received, last.received),
      queue: { mean: depths.reduce((sum, depth) => sum + depth, 0) / depths.length, max: Math.max(...depths) },
      processors: loadByProgram(usageBefore, usageAfter, { [operator.pid]: 'operator', [process.pid]: 'benchmark' }),
      otherLoad: busyProcessors(usageBefore, usageAfter).others,
      stolen: (usageAfter.stolen - usageBefore.stolen) / (usageAfter.at - usageBefore.at),
      collections: operator.collections.slice(this.collectionsBefore),
      lateness: Math.max(0, this.lateness.percentile(99) / 1e6 - RESOLUTION),
    };
  }

  private note({ calls }: Scraped): void {
    this.noted.push({ at: performance.now(), memory: memoryOf(this.operator.pid) ?? 0, statusWrites: calls.get('PUT sparkapplications/status') ?? 0 });
  }
}
