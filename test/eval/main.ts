import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelName } from '../../core/answering/models/model-choice.ts';
import { type Config, readConfig } from '../../core/config.ts';
import { createLog } from '../../core/log.ts';
import { disableTelemetry } from '../../core/process/compile-cache.ts';
import { openRuntime } from '../../core/runtime.ts';
import { type Measures, measure, type Observation } from './measures.ts';
import { type Answerers, observe } from './observe.ts';
import { readQuestionSets } from './question-set.ts';
import { type ScriptedModel, scripts, startScriptedModel } from './scripted-model.ts';

const usage = `Usage: npm run eval -- FOLDER [--only NAME]… [--details FILE] [--scripted]

Reads NAME.docs.jsonl and NAME.questions.jsonl from FOLDER, indexes the documents one language at a time and asks the
questions through the product's API with default settings. With --scripted it asks again with scripted language models that
answer every question, and fails if the one that invents its answers gets more of them shown to unanswerable questions than
the built-in answerer gives. The one that quotes the first passage shows how often a model is asked.
`;

async function main(args: readonly string[]): Promise<number> {
  const [folder] = args;
  if (folder === undefined || folder.startsWith('-')) {
    process.stderr.write(usage);
    return 2;
  }
  const only = args.flatMap((arg, index) => (args[index - 1] === '--only' ? [arg] : []));
  const details = args.find((_, index) => args[index - 1] === '--details');
  const scripted = args.includes('--scripted') ? await startScriptedModel() : null;
  const dataFolder = mkdtempSync(join(tmpdir(), 'parley-eval-'));
  const config = readConfig({ ...process.env, ...scriptedEnvironment(scripted), DATA_DIR: dataFolder });
  const runtime = await openRuntime(config, createLog('warn'));
  const summaries: object[] = [];
  let isHonest = true;
  try {
    print(header);
    for (const set of readQuestionSets(folder, only)) {
      const observed = await observe(runtime, set, selectAnswerers(config, scripted));
      const measured = new Map<string, Measures>();
      for (const [name, observations] of Object.entries(observed)) {
        measured.set(name, measure(observations));
        print(row(`${set.name} ${set.language}${name}`, measure(observations)));
        summaries.push(...observations.map((observation) => summary(set.name + name, observation)));
      }
      const inventive = measured.get(' inventive');
      isHonest &&= inventive === undefined || isAsHonest(inventive, measured.get(''));
    }
    if (details !== undefined)
      writeFileSync(details, summaries.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (!isHonest) print('Inventions of a scripted model were shown.');
    return isHonest ? 0 : 1;
  } finally {
    await runtime.close();
    scripted?.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function scriptedEnvironment(scripted: ScriptedModel | null): Readonly<Record<string, string>> {
  if (scripted === null) return {};
  return { LLM_MODELS: 'openai-compatible:eager', OPENAI_COMPATIBLE_BASE_URL: scripted.baseUrl };
}

/** Without --scripted, the models of the environment answer, as in the product. */
function selectAnswerers({ LLM_MODELS }: Config, scripted: ScriptedModel | null): Answerers {
  if (scripted === null) return { '': LLM_MODELS[0] === undefined ? null : modelName(LLM_MODELS[0]) };
  return {
    '': null,
    ...Object.fromEntries(scripts.map((name) => [` ${name}`, `openai-compatible:${name}`])),
  };
}

function isAsHonest(one: Measures, other: Measures | undefined): boolean {
  const rates = ['falseAnswers', 'nearMissAnswers'] as const;
  return rates.every((rate) => Number.isNaN(one[rate]) || one[rate] <= (other?.[rate] ?? 0));
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
  ['set', 26],
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

disableTelemetry(process.env);
process.exitCode = await main(process.argv.slice(2));
