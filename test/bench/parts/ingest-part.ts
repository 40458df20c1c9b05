import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { folderBytes } from '../folder-bytes.ts';
import { count, kilobytes, megabytes, milliseconds, ratio } from '../format.ts';
import { quantile } from '../quantile.ts';
import type { EngineName } from '../read-options.ts';
import { ingestStep } from '../steps/ingest-step.ts';
import { runStep } from '../steps/run-step.ts';
import { table } from '../table.ts';

type Measured = z.output<typeof ingestStep.output>;

const minutes = 8;
const wasmChunks = 300;
const onnxChunks = 1_500;

const header = ['', 'figure', 'p50', 'tail', 'goal', 'ratio', 'to', 'RSS', 'disk a chunk'];
/** By engine. */
const rateGoals: ReadonlyMap<string, string> = new Map([
  ['onnx', '80/s'],
  ['wasm', '12/s'],
]);
const loopGoal = 'p99 50 ms';

/** Measures documents from their upload to being found, while a visitor asks. */
export async function ingestPart(run: BenchRun): Promise<void> {
  const rows: string[][] = [];
  for (const engine of run.engines) rows.push(...((await attempt(run, () => measure(run, engine))) ?? []));
  run.print(table('Indexing plain-text documents of about 20 chunks, while a visitor asks', header, rows));
}

async function measure(run: BenchRun, engine: EngineName): Promise<string[][]> {
  const chunks = engine === 'wasm' ? wasmChunks : onnxChunks;
  const folder = await mkdtemp(join(run.folder, 'ingest-'));
  run.progress(`${engine}: indexing documents of ${chunks} chunks`);
  const input = { folder, engine, chunks, samplesFile: run.samplesFile };
  const measured = await runStep(ingestStep, input, minutes);
  return rowsOf(measured, (await folderBytes(folder)) / measured.chunks);
}

function rowsOf(measured: Measured, bytesPerChunk: number): string[][] {
  const { engine, chunks, charactersPerChunk, seconds, embeddingRate, loop, idleQueries, queries, rss } =
    measured;
  const rate = chunks / seconds;
  const idle = quantile(idleQueries, 0.5);
  const during = quantile(queries, 0.5);
  const what = `${count(chunks)} chunks of ${charactersPerChunk.toFixed(0)} characters`;
  return [
    [
      `${engine}: ${what}`,
      `${rate.toFixed(1)}/s`,
      '',
      '',
      rateGoals.get(engine) ?? '',
      ratio(rate, embeddingRate),
      `embedding alone, ${embeddingRate.toFixed(1)}/s`,
      megabytes(rss),
      kilobytes(bytesPerChunk),
    ],
    [
      `${engine}: event loop late`,
      '',
      milliseconds(loop.p50),
      `p99 ${milliseconds(loop.p99)}, at most ${milliseconds(loop.max)}`,
      loopGoal,
    ],
    [
      `${engine}: POST /v1/query meanwhile`,
      `${count(queries.length)} questions`,
      milliseconds(during),
      `p95 ${milliseconds(quantile(queries, 0.95))}`,
      '',
      ratio(during, idle),
      `the same with nothing going on, ${milliseconds(idle)}`,
    ],
  ];
}
