import { openSite } from '../../helpers/sources/site.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { count, megabytes, milliseconds } from '../format.ts';
import { runStep } from '../steps/run-step.ts';
import { type SourcesRun, sourcesStep } from '../steps/sources-step.ts';
import { table } from '../table.ts';

const minutes = 5;
const header = ['', 'pages', 'requests', 'a second', 'processor a page', 'event loop late', 'RSS at most'];

/** Measures how fast a website of 1,000 pages is read without pauses between requests, and with how much memory. */
export async function sourcesPart(run: BenchRun): Promise<void> {
  const rows: string[][] = [];
  for (const [name, hasTraps] of [
    ['1,000 pages', false],
    ['with traps', true],
  ] as const) {
    run.progress(`sources: reading ${name}`);
    const site = await openSite({ hasTraps });
    try {
      const input = { origin: site.origin, follow: 'links' } as const;
      const measured = await attempt(run, () => runStep(sourcesStep, input, minutes));
      for (const one of measured?.runs ?? []) rows.push(rowOf(name, one));
    } finally {
      await site.close();
    }
  }
  run.print(
    table('Reading a website on this machine, one page after the other and without pauses', header, rows),
  );
}

function rowOf(
  site: string,
  { name, pages, requests, seconds, processorSeconds, loopMax, rss }: SourcesRun,
): string[] {
  return [
    `${site}, ${name}`,
    count(pages),
    count(requests),
    (pages / seconds).toFixed(0),
    milliseconds((processorSeconds * 1_000) / pages),
    milliseconds(loopMax),
    megabytes(rss),
  ];
}
