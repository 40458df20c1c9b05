import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../core/base/log.ts';
import { listRules, varyRule } from '../../core/base/rules.ts';
import { type Config, readConfig } from '../../core/config/config.ts';
import { modelName } from '../../core/config/model-choice.ts';
import { disableTelemetry } from '../../core/runtime/compile-cache.ts';
import { openRuntime } from '../../core/runtime/runtime.ts';
import { evaluateDocuments } from './documents/main.ts';
import { evaluateEveryday } from './everyday/main.ts';
import { evaluateFacts } from './facts/main.ts';
import { difference, type Measures, measure, type Observation } from './measures.ts';
import { type Answerers, observe } from './observe.ts';
import { evaluatePages } from './pages/main.ts';
import { type QuestionSet, readQuestionSets } from './question-set.ts';
import { type RunLine, readRun, writeRun } from './run-file.ts';
import { startScaledModel } from './scaled-model.ts';
import { type ScriptedModel, scripts, startScriptedModel } from './scripted-model.ts';
import { evaluateVisitors } from './visitors/main.ts';

const usage = `Usage: npm run eval -- FOLDER [OPTION]…
       npm run eval -- visitors [OPTION]…    (messages of visitors; --help tells more)
       npm run eval -- everyday FOLDER [OPTION]…    (messages in everyday wording; --help tells more)
       npm run eval -- facts [OPTION]…    (contradictions between pages; --help tells more)
       npm run eval -- pages [OPTION]…    (texts of generated websites; --help tells more)
       npm run eval -- documents [OPTION]…    (50 questions over websites and files; --help tells more)

Reads NAME.docs.jsonl and NAME.questions.jsonl from FOLDER, indexes the documents one language at a time and asks the
questions through the product's API with default settings.

  --only NAME        sets whose name contains NAME; may be repeated
  --language CODE    documents and questions of this language; may be repeated
  --mixed            one workspace for all languages of a set, with one row for each language of the questions
  --details FILE     writes what was found and answered for each question
  --compare FILE     prints each change of a measure since the run that wrote FILE with --details
  --embedding-scale NUMBER  the built-in model, as a provider's whose cosines are NUMBER + (1 - NUMBER) * cosine
  --rule NAME=VALUE  sets a rule of the answer to another value, such as search.answerThreshold=0.45; may be repeated
  --no-reader        without the reader, to compare with a run that has it
  --scripted         asks again with scripted language models that answer every question, and fails if one of them
                     answers more unanswerable questions than the built-in answerer
`;

async function main(args: readonly string[]): Promise<number> {
  const [folder] = args;
  if (!varyRules(args)) return 2;
  if (folder === 'visitors') return evaluateVisitors(args.slice(1));
  if (folder === 'everyday') return evaluateEveryday(args.slice(1));
  if (folder === 'facts') return evaluateFacts(args.slice(1));
  if (folder === 'pages') return evaluatePages(args.slice(1));
  if (folder === 'documents') return evaluateDocuments(args.slice(1));
  if (folder === undefined || folder.startsWith('-')) {
    process.stderr.write(usage);
    return 2;
  }
  const valuesOf = (option: string) => args.filter((_, index) => args[index - 1] === option);
  const choice = {
    ...{ names: valuesOf('--only'), languages: valuesOf('--language') },
    isMixed: args.includes('--mixed'),
  };
  const [details] = valuesOf('--details');
  const [earlier] = valuesOf('--compare').map(readRun);
  const scripted = args.includes('--scripted') ? await startScriptedModel() : null;
  const [scale] = valuesOf('--embedding-scale').map(Number);
  const scaled = scale === undefined ? null : await startScaledModel(scale);
  const dataFolder = mkdtempSync(join(tmpdir(), 'parley-eval-'));
  const reader = args.includes('--no-reader') ? { READER: 'off' } : {};
  const environment = { ...process.env, ...reader, ...scriptedEnvironment(scripted), ...scaled?.environment };
  const config = readConfig({ ...environment, DATA_DIR: dataFolder });
  const runtime = await openRuntime(config, createLog('warn'));
  const run: RunLine[] = [];
  let isHonest = true;
  try {
    print(header);
    for (const set of readQuestionSets(folder, choice)) {
      const observed = await observe(runtime, set, selectAnswerers(config, scripted));
      const measured = Object.entries(observed).map(([name, observations]) => {
        for (const [language, some] of byLanguage(set, observations)) {
          const title = `${set.name} ${language}${name}`;
          print(row(title, measure(some)));
          run.push(...some.map((observation) => ({ set: title, observation })));
          const before = earlier?.filter((line) => line.set === title).map((line) => line.observation) ?? [];
          if (before.length > 0) print(row('  change', difference(measure(some), measure(before))));
        }
        return [name, measure(observations)] as const;
      });
      const measures = new Map(measured);
      const inventive = measures.get(' inventive');
      isHonest &&= inventive === undefined || isAsHonest(inventive, measures.get(''));
    }
    if (details !== undefined) writeRun(details, run);
    if (!isHonest) print('Inventions of a scripted model were shown.');
    return isHonest ? 0 : 1;
  } finally {
    await runtime.close();
    scripted?.close();
    await scaled?.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** Varies the rules that the options name. Returns false, after telling the rules, if there is none of a name. */
function varyRules(args: readonly string[]): boolean {
  for (const change of args.filter((_, index) => args[index - 1] === '--rule')) {
    const [name = '', value] = change.split('=');
    if (value !== undefined && !Number.isNaN(Number(value)) && varyRule(name, Number(value))) continue;
    const known = [...listRules()].map(([rule, current]) => `  ${rule}=${current}\n`);
    process.stderr.write(`Unknown rule or value: ${change}. The rules and their values:\n${known.join('')}`);
    return false;
  }
  return true;
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

/** The languages of a set's questions with their observations. */
function byLanguage(
  { language }: QuestionSet,
  observations: readonly Observation[],
): readonly (readonly [string, readonly Observation[]])[] {
  if (language !== 'mixed') return [[language, observations]];
  const groups = Map.groupBy(observations, ({ question }) => `mixed ${question.lang}`);
  return [...groups].sort(([one], [other]) => one.localeCompare(other));
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
