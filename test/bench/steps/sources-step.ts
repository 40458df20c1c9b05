import { monitorEventLoopDelay } from 'node:perf_hooks';
import { z } from 'zod';
import { website } from '../../../core/sources/website/website.ts';
import { websiteSettings } from '../../../core/sources/website/website-settings.ts';
import { readSource, SourceMemory, sourceTools } from '../../helpers/sources/read-source.ts';
import { defineStep } from './step.ts';

const runSchema = z.object({
  name: z.string(),
  pages: z.number(),
  requests: z.number(),
  seconds: z.number(),
  /** The processor time of this process, user and system. */
  processorSeconds: z.number(),
  /** Milliseconds that the event loop came late at most, beyond its own tick. */
  loopMax: z.number(),
  rss: z.number(),
});

export type SourcesRun = z.output<typeof runSchema>;

const resolution = 10;

/** Reads a website twice without its pauses: first all pages, then with conditions. */
export const sourcesStep = defineStep({
  name: 'sources',
  input: z.object({ origin: z.string(), follow: z.enum(['auto', 'links']) }),
  output: z.object({ runs: z.array(runSchema) }),
  async run({ origin, follow }) {
    const memory = new SourceMemory();
    const runs: SourcesRun[] = [];
    for (const name of ['first run', 'second run'])
      runs.push(await measure(name, { origin, follow, memory }));
    return { runs };
  },
});

interface Site {
  readonly origin: string;
  readonly follow: 'auto' | 'links';
  readonly memory: SourceMemory;
}

async function measure(name: string, { origin, follow, memory }: Site): Promise<SourcesRun> {
  const { tools, asked } = sourceTools({ host: new URL(origin).host });
  const settings = websiteSettings.parse({ url: `${origin}/`, follow });
  const reader = website.open({ settings, credentials: {} }, tools);
  const loop = monitorEventLoopDelay({ resolution });
  loop.enable();
  const [began, processor] = [performance.now(), process.cpuUsage()];
  const { outcomes } = await readSource(reader, memory);
  const { user, system } = process.cpuUsage(processor);
  loop.disable();
  return {
    name,
    pages: outcomes.size,
    requests: asked.length,
    seconds: (performance.now() - began) / 1_000,
    processorSeconds: (user + system) / 1e6,
    loopMax: loop.max / 1e6 - resolution,
    rss: process.resourceUsage().maxRSS * 1_024,
  };
}
