import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../core/config.ts';
import { createLog } from '../../core/log.ts';
import { openRuntime } from '../../core/runtime.ts';
import { type Measures, measure, type Observation } from './measures.ts';
import { observe } from './observe.ts';
import { readQuestionSets } from './question-set.ts';

const usage = `Usage: npm run eval -- FOLDER [--only NAME]… [--details FILE]

Reads NAME.docs.jsonl and NAME.questions.jsonl from FOLDER, indexes the documents one language at a time and asks the
questions through the product's own API with default settings.
`;

async function main(args: readonly string[]): Promise<number> {
  const [folder] = args;
  if (folder === undefined || folder.startsWith('-')) {
    process.stderr.write(usage);
    return 2;
  }
  const only = args.flatMap((arg, index) => (args[index - 1] === '--only' ? [arg] : []));
  const details = args.find((_, index) => args[index - 1] === '--details');
  const dataFolder = mkdtempSync(join(tmpdir(), 'parley-eval-'));
  const runtime = await openRuntime(readConfig({ ...process.env, DATA_DIR: dataFolder }), createLog('warn'));
  const everything: object[] = [];
  try {
    print(header);
    for (const set of readQuestionSets(folder, only)) {
      const observations = await observe(runtime, set);
      print(row(`${set.name} ${set.language}`, measure(observations)));
      everything.push(...observations.map((observation) => summary(set.name, observation)));
    }
    if (details !== undefined)
      writeFileSync(details, everything.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return 0;
  } finally {
    await runtime.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function summary(set: string, { question, retrieved, answer, confidence, score }: Observation): object {
  return {
    set,
    question,
    top: retrieved.slice(0, 5).map((passage) => passage.doc),
    answer,
    confidence,
    score,
  };
}

const columns = [
  ['set', 18],
  ['n+/n-', 9],
  ['R@1', 6],
  ['R@5', 6],
  ['MRR', 6],
  ['nDCG', 6],
  ['answered', 9],
  ['false', 6],
  ['near', 6],
  ['AUROC', 6],
  ['F1', 6],
  ['contained', 10],
  ['chars', 6],
] as const;

const header = columns.map(([name, width]) => name.padEnd(width)).join(' ');

function row(name: string, measures: Measures): string {
  const numbers = [
    measures.recall1,
    measures.recall5,
    measures.mrr,
    measures.ndcg,
    measures.answered,
    measures.falseAnswers,
    measures.nearMissAnswers,
    measures.auroc,
    measures.f1,
    measures.containment,
  ].map((value) => (Number.isNaN(value) ? '-' : value.toFixed(3)));
  const cells = [
    name,
    `${measures.answerable}/${measures.unanswerable}`,
    ...numbers,
    measures.characters.toFixed(0),
  ];
  return cells.map((cell, index) => cell.padEnd(columns[index]?.[1] ?? 0)).join(' ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main(process.argv.slice(2));
