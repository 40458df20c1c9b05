import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { isInstalled, peerInstallation } from '../contenders/import-peer.ts';
import type { ContenderName } from '../contenders/open-contender.ts';
import { count, kilobytes, megabytes, milliseconds, ratio } from '../format.ts';
import { indexSizeOf } from '../indexes.ts';
import { quantile } from '../quantile.ts';
import { runStep } from '../steps/run-step.ts';
import { searchStep } from '../steps/search-step.ts';
import { table } from '../table.ts';
import type { Timed } from '../time-each.ts';

interface Measured {
  readonly name: ContenderName;
  readonly chunks: number;
  readonly timed: Timed;
  readonly rss: number;
  /** Null if nothing is on disk. */
  readonly bytesPerChunk: number | null;
}

const header = [
  ['', 'chunks', 'p50', 'p95', 'goal p50/p95'],
  ['p50 to exact scan', 'processor', 'questions', 'RSS', 'disk a chunk'],
].flat();
const diskGoal = 'goal 12 KB';

/** The goals in milliseconds, by size of the workspace. */
const goals: ReadonlyMap<number, string> = new Map([
  [10_000, '15/30'],
  [50_000, '30/70'],
  [100_000, '60/150'],
]);
const smallWorkspaceGoal = '5/-';

const peers: readonly (readonly [name: ContenderName, module: string])[] = [
  ['LanceDB', '@lancedb/lancedb'],
  ['Orama', '@orama/orama'],
];

/** Measures hybrid search with a known vector of the question. */
export async function searchPart(run: BenchRun): Promise<void> {
  const installed = peers.filter(([, module]) => isInstalled(module)).map(([name]) => name);
  const rows: string[][] = [];
  for (const chunks of run.sizes) {
    const hasSmall = indexSizeOf('Parley', chunks).smallWorkspaces > 0;
    const ours: ContenderName[] = hasSmall ? ['Parley', 'Parley, small workspace'] : ['Parley'];
    const ofSize: Measured[] = [];
    for (const name of [...ours, ...installed, 'exact scan'] as const) {
      const measured = await attempt(run, () => measure(run, name, chunks));
      if (measured !== null) ofSize.push(measured);
    }
    const floor = quantile(ofSize.find(({ name }) => name === 'exact scan')?.timed.times ?? [], 0.5);
    rows.push(...ofSize.map((measured) => row(measured, floor)));
  }
  run.print(table('Hybrid search, the vector of the question known', header, rows));
  if (installed.length < peers.length) run.print(`To compare with LanceDB and Orama: ${peerInstallation}`);
}

async function measure(run: BenchRun, name: ContenderName, chunks: number): Promise<Measured> {
  const keeper = name === 'Parley, small workspace' ? 'Parley' : name;
  const isOnDisk = keeper === 'Parley' || keeper === 'LanceDB';
  const index = isOnDisk ? await run.indexes.of(keeper, chunks) : null;
  run.progress(`${name}: searching ${chunks} chunks`);
  const size = index?.size ?? indexSizeOf(name, chunks);
  const input = { contender: name, folder: index?.folder ?? run.folder, samplesFile: run.samplesFile, size };
  const measured = await runStep(searchStep, input, 4 + chunks / 20_000);
  return { name, chunks, ...measured, bytesPerChunk: index?.bytesPerChunk ?? null };
}

function row({ name, chunks, timed, rss, bytesPerChunk }: Measured, floor: number): string[] {
  const goal = name === 'Parley, small workspace' ? smallWorkspaceGoal : goals.get(chunks);
  const disk = bytesPerChunk === null ? '-' : kilobytes(bytesPerChunk);
  return [
    name,
    count(chunks),
    milliseconds(quantile(timed.times, 0.5)),
    milliseconds(quantile(timed.times, 0.95)),
    name.startsWith('Parley') ? (goal ?? '') : '',
    ratio(quantile(timed.times, 0.5), floor),
    milliseconds(timed.processor),
    count(timed.times.length),
    megabytes(rss),
    name === 'Parley' ? `${disk} (${diskGoal})` : disk,
  ];
}
