import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { openRuntime } from '../../../core/runtime/runtime.ts';
import { runIngestWorker } from '../../../workers/ingest/worker.ts';
import {
  type CalibrationSet,
  collectEvidence,
  type Evidence,
  readCalibrationSet,
} from './collect-evidence.ts';
import { fitLogistic, predict, type Sample } from './fit-logistic.ts';
import { measureReliability } from './reliability.ts';

const usage = `Usage: npm run calibrate -- FOLDER…

Fits the probability of an answer (core/knowledge/ranking/calibration.json) on every NAME.docs.jsonl of the folders with its
NAME.questions.jsonl, and on questions of the other sets, which a set cannot answer. Writes the evidence beside it, which a
test holds to the table of reliability. Sets with documents in other languages than English are left out.
`;

/** A set of many questions counts as much as this many, so that no kind of documents decides alone. */
const MOST_OF_SET = 400;
const FOREIGN_EACH = 100;
/** A lead beyond this tells no more. */
const MOST_LEAD = 0.3;

const output = new URL('../../../core/knowledge/ranking/calibration.json', import.meta.url);
const record = new URL('../../fixtures/calibration-evidence.json', import.meta.url);

async function main(folders: readonly string[]): Promise<number> {
  if (folders.length === 0 || folders.some((folder) => folder.startsWith('-'))) {
    process.stderr.write(usage);
    return 2;
  }
  const sets = folders
    .flatMap(findSets)
    .map(readCalibrationSet)
    .filter(({ documents }) => documents.length > 0);
  const dataFolder = mkdtempSync(join(tmpdir(), 'parley-calibrate-'));
  const runtime = await openRuntime(readConfig({ ...process.env, DATA_DIR: dataFolder }), createLog('warn'));
  const evidence: Record<string, readonly Evidence[]> = {};
  try {
    const stopIngest = await runIngestWorker(runtime);
    for (const set of sets) {
      evidence[set.name] = await collectEvidence(runtime, set, pickForeign(set, sets));
      process.stdout.write(`${set.name}: ${evidence[set.name]?.length} questions\n`);
    }
    await stopIngest();
  } finally {
    await runtime.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
  write(evidence);
  return 0;
}

function findSets(folder: string): readonly string[] {
  const names = readdirSync(folder).flatMap((file) => /^(.+)\.docs\.jsonl$/u.exec(file)?.[1] ?? []);
  return names.sort().map((name) => join(folder, name));
}

/** Returns questions of the other sets, evenly. */
function pickForeign(own: CalibrationSet, sets: readonly CalibrationSet[]): readonly string[] {
  const others = sets
    .filter((set) => set !== own)
    .flatMap(({ questions }) => questions.map(({ text }) => text));
  const step = Math.max(1, Math.floor(others.length / FOREIGN_EACH));
  return others.filter((_, index) => index % step === 0).slice(0, FOREIGN_EACH);
}

function write(evidence: Readonly<Record<string, readonly Evidence[]>>): void {
  const samples = Object.values(evidence).flatMap((some) => {
    const weight = Math.min(1, MOST_OF_SET / some.length);
    return some.map((one): Sample => ({ features: toFeatures(one), happened: one.isRight, weight }));
  });
  const fit = fitLogistic(samples);
  const [fused = 0, meaning = 0, lead = 0] = fit.weights.map((weight) => Math.round(weight * 100) / 100);
  const offset = Math.round(fit.offset * 100) / 100;
  const judged = samples.map(({ features, happened }) => ({
    probability: predict({ weights: [fused, meaning, lead], offset }, features),
    isRight: happened,
  }));
  const vectors = { fused, meaning, lead, mostLead: MOST_LEAD, offset };
  const reliability = measureReliability(judged);
  writeFileSync(output, `${JSON.stringify({ vectors, reliability }, null, 2)}\n`);
  writeFileSync(record, `${JSON.stringify(evidence)}\n`);
  for (const bin of reliability)
    process.stdout.write(`${bin.from} to ${bin.to}: ${bin.predicted} → ${bin.right} (${bin.count})\n`);
}

function toFeatures({ fused, meaning, lead }: Evidence): readonly number[] {
  return [fused, meaning, Math.min(lead, MOST_LEAD)];
}

process.exitCode = await main(process.argv.slice(2));
