import { join } from 'node:path';
import type { BenchRun } from '../bench-run.ts';
import { count, milliseconds } from '../format.ts';
import { quantile } from '../quantile.ts';
import { table } from '../table.ts';
import { fakeEnvironment } from './fake-environment.ts';
import { startFakeProvider } from './fake-provider.ts';
import { fanOut } from './fan-out.ts';
import { startProduct } from './product-target.ts';

const streams = 2_000;
/** As many as a key may have open at once. */
const streamsOfKey = 50;
/** Twenty tokens a second, for longer than the window and shorter than a stream may last. */
const pace = { tokens: 450, spacing: 50 };

/** How late tokens come when one process has very many streams open. */
export async function measureFanOut(run: BenchRun, scripts: string): Promise<void> {
  run.progress(`http: ${streams} streams`);
  const provider = await startFakeProvider(scripts, pace);
  const environment = fakeEnvironment(provider.baseUrl, { DATA_DIR: join(run.folder, 'http-fan-out') });
  const target = await startProduct('Parley, embedded', environment, streams / streamsOfKey);
  const result = await fanOut(target, streams);
  await target.stop();
  await provider.stop();
  const figures = [0.5, 0.95, 0.99].map((share) => milliseconds(quantile(result.gaps, share)));
  run.print(
    table(
      'Streams open at once in one process, 20 tokens a second each',
      ['', 'open', 'tokens/s', 'gap p50', 'p95', 'p99'],
      [[target.name, count(result.open), count(result.tokensPerSecond), ...figures]],
    ),
  );
}
