import type { Context } from '../context.ts';
import { spreadOf, type Figures } from '../figures.ts';
import { measureLoad } from '../load.ts';
import { startNodes } from '../population/nodes.ts';
import { NAMESPACES, Stage } from '../population/stage.ts';

const SIZES = { full: { warmUp: 100, seconds: 30 }, quick: { warmUp: 10, seconds: 5 } } as const;

/** Applications that are created in a second. */
const PACES = [20, 40];
/** Simulated nodes. */
const NODES = 10;
/** Seconds that a driver runs. */
const DRIVER = 5;
/** Seconds for all applications of a pace until COMPLETED. */
const PATIENCE = 120;

/** Time from creation to driver at fixed rates of creation, one after the other, without executors. */
export async function paces(context: Context): Promise<Figures['paces']> {
  const { warmUp, seconds } = SIZES[context.task.quick ? 'quick' : 'full'];
  await startNodes(context, NODES);
  const operator = await context.startOperator(NAMESPACES);
  const stage = await Stage.open(context, NODES);
  const grow = (count: number, perSecond?: number) => stage.grow(operator, count, {
    executors: 0, driverSeconds: DRIVER, until: 'completed', seconds: PATIENCE, ...(perSecond !== undefined && { perSecond }),
  });
  context.progress(`warming up with ${warmUp} applications`);
  await grow(warmUp);
  const figures: Figures['paces'][number][] = [];
  for (const perSecond of PACES) {
    const phase = `${perSecond} a second`;
    const [timeline, { busy }] = await measureLoad(context, operator, phase, () => grow(perSecond * seconds, perSecond));
    figures.push({ perSecond, toDriver: spreadOf(timeline.between('created', 'driver')), busy });
  }
  return figures;
}
