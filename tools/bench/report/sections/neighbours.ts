import { statesText } from '../../neighbours/report.ts';
import type { QuietFigures } from '../../neighbours/measurements.ts';
import type { PartFigures } from '../figures.ts';
import { mebibytes, number, short, spread, time } from '../format.ts';
import { paragraph, table, textTable } from '../markdown.ts';

/** The section about a quiet namespace beside a flooding one. */
export function neighboursSection({ alone, creating, backlog, flood, load, workers }: PartFigures['neighbours']): string[] {
  const row = (label: string, { created, toDriver, toAnswer }: QuietFigures) => [label, number(created), spread(toDriver), spread(toAnswer)];
  return [
    '## Neighbours', '',
    ...paragraph(
      `One operator with ${workers} workers and two namespaces. The quiet one creates two applications a second.`,
      `The flooding one creates ${number(flood.created)} as fast as the API server takes them, ${number(flood.huge.stored)} of them with ${mebibytes(flood.huge.bytes)} as JSON.`,
      'No driver gets to run, so all of them wait.',
      'The goal covers the time from the first creation of the flood until its last application has a driver or is FAILED.',
    ),
    ...table(['quiet namespace', 'created', 'creation to driver: p50 · p99 · max', 'until the creation was answered'], [
      row('before the flood', alone),
      row('while the flood is created', creating),
      row('after that, until it is submitted', backlog),
    ]),
    ...textTable(['', ''], [
      ['flood: created after · with driver or FAILED after', [flood.createdAfter, flood.doneAfter].map(time).join(' · ')],
      ['flood: creation to driver', spread(flood.toDriver)],
      ['huge applications', statesText(flood.huge)],
      ["operator's memory: median, peak", [load.memory.median, load.memory.peak].map(mebibytes).join(', ')],
      ['event loop late by: p99 · max', [load.eventLoopDelay, load.eventLoopBlocked].map(time).join(' · ')],
      ['queue: mean, most', [short(load.queue.mean), number(load.queue.max)].join(', ')],
    ]),
    ...paragraph(
      'Both namespaces use an administrator\'s certificate, which the API server exempts from its fair queues.',
      'With tokens of tenants the API server throttles a flood itself.',
    ),
  ];
}
