import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../../helpers/stores/databases/start-postgres.ts';
import { attempt } from '../../attempt.ts';
import type { BenchRun } from '../../bench-run.ts';
import { milliseconds } from '../../format.ts';
import { startProduct } from '../../http/product-target.ts';
import { type PacedProvider, startPacedProvider } from '../../model/start-paced-provider.ts';
import { quantile } from '../../quantile.ts';
import { table } from '../../table.ts';
import { openTelephone } from '../../voice/open-telephone.ts';
import { relayCall } from '../../voice/relay-call.ts';

const calls = 50;
const rounds = 4;
const adminToken = 'a-token-for-the-benchmark';
const slow = { shortestThoughtMs: 8_000, thoughtSpreadMs: 0, sentences: 1 };
const callsAlone = 20;
const quick = { shortestThoughtMs: 0, thoughtSpreadMs: 0, sentences: 2 };

/** Measures fifty calls at once: how fast Twilio is answered, and callers hear something, whatever the model does. */
export async function voicePart(run: BenchRun): Promise<void> {
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(run.folder, 'postgres-voice'), { durable: true });
  const provider = await startPacedProvider();
  const storages = [
    ['embedded', { DATA_DIR: join(run.folder, 'voice-embedded') }],
    ...(postgres === null
      ? []
      : ([
          [
            'PostgreSQL',
            { DATA_DIR: join(run.folder, 'voice-postgres'), DATABASE_URL: await postgres.newDatabase() },
          ],
        ] as const)),
  ] as const;
  const rows: string[][] = [];
  try {
    for (const [name, storage] of storages) {
      await attempt(run, async () => {
        run.progress(`voice: ${name}`);
        for (const [what, goal, times] of await measure(storage, provider)) {
          const shown = [0.5, 0.95, 1].map((share) => milliseconds(quantile(times, share)));
          rows.push([`${name}: ${what}`, ...shown, goal, `${times.length}`]);
        }
      });
    }
  } finally {
    await provider.stop();
    await postgres?.stop();
  }
  run.print(table('Fifty calls at once', ['', 'p50', 'p95', 'most', 'goal for p95', 'times'], rows));
}

type Figure = readonly [what: string, goal: string, times: readonly number[]];

async function measure(
  storage: Readonly<Record<string, string>>,
  provider: PacedProvider,
): Promise<readonly Figure[]> {
  const product = await startProduct('Parley', {
    ...storage,
    LLM_MODELS: 'openai:paced',
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${provider.address}/v1`,
    PUBLIC_URL: 'https://voice.example',
    ADMIN_TOKEN: adminToken,
    LOG_LEVEL: 'warn',
  });
  try {
    const client = { address: product.address, adminToken };
    const telephone = await openTelephone(client);
    const relay = await openTelephone(client, { relay: true });
    const all = async (act: (index: number) => Promise<number>) =>
      Promise.all(Array.from({ length: calls }, (_, index) => act(index)));
    const several = async (act: (index: number) => Promise<number>) => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1)
        times.push(...(await all((index) => act(round * calls + index))));
      return times;
    };
    await provider.setPace(quick);
    // The first answer waits for start-up work that is not measured.
    await telephone.call().says('Within how many days of purchase are refunds accepted? (1)');
    const begun = await several(async () => (await telephone.call().ask({ CallStatus: 'ringing' })).tookMs);
    const ended = await several(async () => (await telephone.call().hangsUp()).tookMs);
    const relayed: number[] = [];
    const relayFirst = await all(async (index) => {
      const text = `Within how many days of purchase are refunds accepted? (${index + 2_000})`;
      const { answerMs, firstMs } = await relayCall(product.address, relay, { caller: index, text });
      relayed.push(answerMs);
      return firstMs;
    });
    await provider.setPace(slow);
    const alone: number[] = [];
    for (let index = 0; index < callsAlone; index += 1) {
      const SpeechResult = `Within how many days of purchase are refunds accepted? (${index + 3_000})`;
      alone.push((await telephone.call().ask({ SpeechResult, Confidence: '0.91' })).tookMs);
    }
    const answered: number[] = [];
    const turns = await all(async (index) => {
      const call = telephone.call();
      const begunAt = performance.now();
      const whole = call.says(`Within how many days of purchase are refunds accepted? (${index + 1_000})`);
      await whole;
      answered.push(performance.now() - begunAt);
      return call.heard[0]?.tookMs ?? Number.NaN;
    });
    return [
      ['a call begins, until it is answered', '100 ms', begun],
      ['a call ends, until that is stored', '100 ms', ended],
      ['first words of a turn, one call at a time, the model takes 8 s', '1000 ms', alone],
      ['first words of a turn, the model takes 8 s', '1000 ms', turns],
      ['the answer itself, the model takes 8 s', '', answered],
      ['ConversationRelay: first words, the model answers at once', '1000 ms', relayFirst],
      ['ConversationRelay: first sentence of the answer (0.3 s of the model’s own)', '', relayed],
    ];
  } finally {
    await product.stop();
  }
}
