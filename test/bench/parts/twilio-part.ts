import { join } from 'node:path';
import { playWhatsappLife } from '../../helpers/whatsapp-life.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { milliseconds } from '../format.ts';
import { quantile } from '../quantile.ts';
import { table } from '../table.ts';
import { measureWebhooks } from '../twilio/measure-webhooks.ts';
import { openStage } from '../twilio/open-stage.ts';

const wantedMs = 100;

/** How soon Twilio is acknowledged, and the life of a WhatsApp conversation as it would be told. */
export async function twilioPart(run: BenchRun): Promise<void> {
  await attempt(run, async () => {
    run.progress('twilio: webhooks');
    const waits = await measureWebhooks(run.folder);
    const p95 = quantile(waits, 0.95);
    const figures = [quantile(waits, 0.5), p95, quantile(waits, 0.99), Math.max(...waits)];
    run.print(
      table(
        'Signed messages of 50 visitors at once, embedded, while they are answered: until Twilio is acknowledged',
        ['messages', 'p50', 'p95', 'p99', 'slowest'],
        [[`${waits.length}`, ...figures.map(milliseconds)]],
      ),
    );
    if (p95 > wantedMs)
      run.fail(`twilio: acknowledged within ${milliseconds(p95)} at p95, not ${wantedMs} ms`);
  });
  await attempt(run, async () => {
    run.progress('twilio: the life of a conversation');
    const stage = await openStage(join(run.folder, 'whatsapp'));
    try {
      run.print('\nThe life of a conversation on WhatsApp, by a clock that is set');
      await playWhatsappLife(stage, (line) => run.print(line));
    } finally {
      await stage.close();
    }
  });
}
