import { join } from 'node:path';
import { BenchError } from './bench-error.ts';
import type { BenchRun } from './bench-run.ts';
import { chooseEngines } from './engines.ts';
import { Indexes } from './indexes.ts';
import { watchMachine } from './machine.ts';
import { ingestPart } from './parts/ingest-part.ts';
import { queryPart } from './parts/query-part.ts';
import { searchPart } from './parts/search-part.ts';
import { type BenchOptions, readOptions } from './read-options.ts';
import { embedStep } from './steps/embed-step.ts';
import { runStep } from './steps/run-step.ts';
import { temporaryFolder } from './temporary-folder.ts';

const usage = `Usage: npm run bench [-- PART…] [--sizes 1000,10000,50000] [--engine onnx|wasm|auto]

PART is search, query or ingest; all of them when none is named. Without --engine every embedding engine that loads
on this machine is measured. Chunks are made from the demo help centre; nothing is fetched or left behind.
`;

const parts = { search: searchPart, query: queryPart, ingest: ingestPart };
const minutesToEmbed = 5;

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === null) {
    process.stderr.write(usage);
    return 2;
  }
  const describeMachine = watchMachine();
  const run = openRun(options);
  try {
    run.progress('embedding questions and samples');
    await runStep(embedStep, { samplesFile: run.samplesFile }, minutesToEmbed);
    for (const part of options.parts) await parts[part](run);
    return 0;
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    run.progress('');
    run.print(`${describeMachine()} (a busy machine spoils the figures)`);
  }
}

function openRun({ sizes, engine }: BenchOptions): BenchRun {
  const folder = temporaryFolder();
  const samplesFile = join(folder, 'samples.json');
  const progress = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  };
  return {
    folder,
    samplesFile,
    sizes,
    engines: chooseEngines(engine),
    indexes: new Indexes({ folder, samplesFile, progress }),
    progress,
    print: (text) => {
      progress('');
      process.stdout.write(`${text}\n`);
    },
  };
}

// Exiting is what removes the temporary folder and ends the processes of steps.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.exit(await main(process.argv.slice(2)));
