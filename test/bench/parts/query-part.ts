import type { BenchRun } from '../bench-run.ts';
import { count, kilobytes, megabytes, milliseconds, ratio } from '../format.ts';
import { quantile } from '../quantile.ts';
import { queryStep } from '../steps/query-step.ts';
import { runStep } from '../steps/run-step.ts';
import { table } from '../table.ts';

const largestWorkspace = 10_000;
const minutes = 6;

const header = [
  '',
  'p50',
  'p95',
  'goal p50/p95',
  'p50 to embedding alone',
  'questions',
  'RSS',
  'disk a chunk',
];
const goals: Readonly<Record<string, string>> = { onnx: '15/30', wasm: '45/80' };

/** `POST /v1/query` from the question to the stored extractive answer. */
export async function queryPart(run: BenchRun): Promise<void> {
  const chunks = Math.min(largestWorkspace, Math.max(...run.sizes));
  const rows: string[][] = [];
  const index = await run.indexes.of('Parley', chunks);
  for (const wanted of run.engines) {
    run.progress(`${wanted}: asking ${chunks} chunks`);
    const { folder } = index;
    const { samplesFile } = run;
    const { engine, times, embedding, rss } = await runStep(
      queryStep,
      { folder, engine: wanted, samplesFile },
      minutes,
    );
    const alone = quantile(embedding, 0.5);
    const common = [count(times.length), megabytes(rss), kilobytes(index.bytesPerChunk)];
    rows.push([
      `POST /v1/query, ${engine}`,
      milliseconds(quantile(times, 0.5)),
      milliseconds(quantile(times, 0.95)),
      goals[engine] ?? '',
      ratio(quantile(times, 0.5), alone),
      ...common,
    ]);
    rows.push([`embedding alone, ${engine}`, milliseconds(alone), milliseconds(quantile(embedding, 0.95))]);
  }
  run.print(table(`Question to extractive answer in ${count(chunks)} chunks`, header, rows));
}
