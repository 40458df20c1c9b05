import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { count, kilobytes, megabytes, milliseconds, ratio } from '../format.ts';
import type { BuiltIndex } from '../indexes.ts';
import { quantile } from '../quantile.ts';
import type { EngineName } from '../read-options.ts';
import { queryStep } from '../steps/query-step.ts';
import { runStep } from '../steps/run-step.ts';
import { table } from '../table.ts';
import type { Timed } from '../time-each.ts';

const largestWorkspace = 10_000;
const minutes = 8;

const header = [
  ['', 'p50', 'p95', 'goal p50/p95', 'p50 to embedding alone'],
  ['processor', 'questions', 'RSS', 'disk a chunk'],
].flat();

/** The goals in milliseconds, by engine. */
const goals: ReadonlyMap<string, string> = new Map([
  ['onnx', '15/30'],
  ['wasm', '45/80'],
]);

/** Measures `POST /v1/query` from the question to the stored extractive answer. */
export async function queryPart(run: BenchRun): Promise<void> {
  const chunks = Math.min(largestWorkspace, Math.max(...run.sizes));
  const rows: string[][] = [];
  for (const engine of run.engines) {
    const measured = await attempt(run, async () =>
      measure(run, engine, await run.indexes.of('Parley', chunks)),
    );
    rows.push(...(measured ?? []));
  }
  run.print(table(`Question to extractive answer in ${count(chunks)} chunks`, header, rows));
}

async function measure(run: BenchRun, wanted: EngineName, index: BuiltIndex): Promise<string[][]> {
  run.progress(`${wanted}: asking ${index.size.chunks} chunks`);
  const input = { folder: index.folder, engine: wanted, samplesFile: run.samplesFile };
  const { engine, queries, unread, embedding, rss } = await runStep(queryStep, input, minutes);
  const figures = (timed: Timed, goal: string) => [
    milliseconds(quantile(timed.times, 0.5)),
    milliseconds(quantile(timed.times, 0.95)),
    goal,
    ratio(quantile(timed.times, 0.5), quantile(embedding.times, 0.5)),
    milliseconds(timed.processor),
    count(timed.times.length),
  ];
  const disk = kilobytes(index.bytesPerChunk);
  return [
    [`${engine}: POST /v1/query`, ...figures(queries, goals.get(engine) ?? ''), megabytes(rss), disk],
    ...(unread === null ? [] : [[`${engine}: the same without the reader`, ...figures(unread, '')]]),
    [`${engine}: embedding alone`, ...figures(embedding, '')],
  ];
}
