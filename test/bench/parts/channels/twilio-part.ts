import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { playWhatsappLife } from '../../../helpers/platforms/twilio/whatsapp-life.ts';
import { startPostgres } from '../../../helpers/stores/databases/start-postgres.ts';
import { startRedis } from '../../../helpers/stores/databases/start-redis.ts';
import { attempt } from '../../attempt.ts';
import type { BenchRun } from '../../bench-run.ts';
import { chaosBackends } from '../../chaos/backends.ts';
import { milliseconds } from '../../format.ts';
import { quantile } from '../../quantile.ts';
import { table } from '../../table.ts';
import { measureWebhooks, type WebhookWaits } from '../../twilio/measure-webhooks.ts';
import { openStage } from '../../twilio/open-stage.ts';

const adminToken = 'a-token-for-the-benchmark';
const wantedMs = 100;
const title =
  'Signed messages of 50 visitors at the same moment, until Twilio is acknowledged, and all are answered';
const columns = ['', 'messages', 'p50', 'p95', 'p99', 'slowest', 'all answered'];

/** Measures how fast Twilio is acknowledged, and plays the life of a WhatsApp conversation. */
export async function twilioPart(run: BenchRun): Promise<void> {
  await acknowledgements(run);
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

async function acknowledgements(run: BenchRun): Promise<void> {
  const folder = join(run.folder, 'twilio');
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(folder, 'postgres'));
  const redis = await startRedis(join(folder, 'redis'));
  try {
    for (const backend of await chaosBackends({ folder, adminToken, postgres, redis })) {
      const [, name] = /^(.*), kills$/.exec(backend.name) ?? [];
      if (name === undefined) continue;
      const rows: string[][] = [];
      for (const channel of ['whatsapp', 'sms'] as const) {
        await attempt(run, async () => {
          run.progress(`twilio: ${channel}, ${name}`);
          rows.push(rowOf(channel, await measureWebhooks(backend, adminToken, channel), run));
        });
      }
      run.print(table(`${title}: ${name}`, columns, rows));
    }
  } finally {
    await postgres?.stop();
    await redis?.stop();
  }
}

function rowOf(name: string, { acknowledged, answered }: WebhookWaits, run: BenchRun): string[] {
  const p95 = quantile(acknowledged, 0.95);
  if (p95 > wantedMs)
    run.fail(`twilio: ${name}: acknowledged within ${milliseconds(p95)} at p95, not ${wantedMs} ms`);
  const waits = [0.5, 0.95, 0.99, 1].map((share) => milliseconds(quantile(acknowledged, share)));
  return [name, `${acknowledged.length}`, ...waits, milliseconds(quantile(answered, 0.5))];
}
