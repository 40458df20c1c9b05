import { BenchError } from '../bench-error.ts';
import type { BenchRun } from '../bench-run.ts';
import { isInstalled, peerInstallation } from '../contenders/import-peer.ts';
import type { ContenderName } from '../contenders/open-contender.ts';
import { count, kilobytes, megabytes, milliseconds, ratio } from '../format.ts';
import { indexSizeOf } from '../indexes.ts';
import { quantile } from '../quantile.ts';
import { runStep } from '../steps/run-step.ts';
import { searchStep } from '../steps/search-step.ts';
import { table } from '../table.ts';

interface Measured {
  readonly name: ContenderName;
  readonly times: readonly number[];
  readonly rss: number;
  /** Null where nothing is on disk. */
  readonly bytesPerChunk: number | null;
}

const header = [
  '',
  'chunks',
  'p50',
  'p95',
  'goal p50/p95',
  'p50 to exact scan',
  'questions',
  'RSS',
  'disk a chunk',
];
const diskGoal = 'goal 12 KB';

/** By size of the workspace. */
const goals: Readonly<Record<number, string>> = { 10000: '15/30', 50000: '30/70', 100000: '60/150' };
const smallWorkspaceGoal = '5/-';

/** Hybrid search with the vector of the question known. */
export async function searchPart(run: BenchRun): Promise<void> {
  const peers = new Map<ContenderName, string>([
    ['LanceDB', '@lancedb/lancedb'],
    ['Orama', '@orama/orama'],
  ]);
  const missing = [...peers].filter(([, module]) => !isInstalled(module));
  const installed = [...peers.keys()].filter((name) => missing.every(([other]) => other !== name));
  const rows: string[][] = [];
  for (const chunks of run.sizes) {
    const floor = await measure(run, 'exact scan', chunks);
    const ours = [await measure(run, 'Parley', chunks)];
    if (indexSizeOf('Parley', chunks).smallWorkspaces > 0)
      ours.push(await measure(run, 'Parley, small workspace', chunks));
    const others = [];
    for (const name of installed) others.push(await measureOther(run, name, chunks));
    for (const measured of [...ours, ...others, floor])
      if (measured !== null) rows.push(row(measured, chunks, floor));
  }
  run.print(table('Hybrid search, the vector of the question known', header, rows));
  if (missing.length > 0) {
    run.print(`Without ${missing.map(([name]) => name).join(' and ')}; to compare: ${peerInstallation}`);
  }
}

async function measure(run: BenchRun, name: ContenderName, chunks: number): Promise<Measured> {
  const keeper = name === 'Parley, small workspace' ? 'Parley' : name;
  const isOnDisk = keeper === 'Parley' || keeper === 'LanceDB';
  const index = isOnDisk ? await run.indexes.of(keeper, chunks) : null;
  run.progress(`${name}: searching ${chunks} chunks`);
  const { samplesFile } = run;
  const size = index?.size ?? indexSizeOf(name, chunks);
  const input = { contender: name, folder: index?.folder ?? run.folder, samplesFile, size };
  return {
    name,
    ...(await runStep(searchStep, input, 4 + chunks / 20_000)),
    bytesPerChunk: index?.bytesPerChunk ?? null,
  };
}

/** A comparison that does not work out leaves the rest standing. */
async function measureOther(run: BenchRun, name: ContenderName, chunks: number): Promise<Measured | null> {
  try {
    return await measure(run, name, chunks);
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    run.print(`${name}, ${chunks} chunks: ${error.message}`);
    return null;
  }
}

function row({ name, times, rss, bytesPerChunk }: Measured, chunks: number, floor: Measured): string[] {
  const isOurs = name === 'Parley';
  const goal = name === 'Parley, small workspace' ? smallWorkspaceGoal : isOurs ? goals[chunks] : undefined;
  const disk = bytesPerChunk === null ? '-' : kilobytes(bytesPerChunk);
  return [
    name,
    count(chunks),
    milliseconds(quantile(times, 0.5)),
    milliseconds(quantile(times, 0.95)),
    goal ?? '',
    ratio(quantile(times, 0.5), quantile(floor.times, 0.5)),
    count(times.length),
    megabytes(rss),
    isOurs ? `${disk} (${diskGoal})` : disk,
  ];
}
