import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { demoHelpCentre } from '../../../core/demo/open-demo.ts';
import { openRuntime } from '../../../core/runtime/runtime.ts';
import { type ScriptedModel, startScriptedModel } from '../scripted-model.ts';
import { findFaults, type Grade, gradeVisit, isTold } from './grade-visit.ts';
import { createPerfectModel } from './perfect-model.ts';
import { type VisitorSet, visitProduct } from './visit-product.ts';
import { expectedOutcome, readMessages, readVisits, type Visit, type VisitLine } from './visitor-message.ts';

const FORM_OF_USE = `Usage: npm run eval -- visitors [OPTION]…

Indexes documentation, sends the messages of visitors about it through the product's API with default settings, and grades
the answers by the strings that they hold. Without a set, takes those in test/eval/sets.

  --set FILE          messages, one JSON object for each line; with --documents, may be repeated
  --documents FOLDER  the documents of the set at the same place
  --kind KIND         messages of this kind; may be repeated
  --failures          prints each message without a right answer
  --details FILE      writes what was answered to each message
  --compare FILE      prints each message whose grade changed since the run that wrote FILE with --details
  --no-reader         without the reader, to compare with a run that has it
  --scripted          asks again with a scripted language model that rewrites, translates and answers perfectly
`;

/** Measures answers to visitor messages. Returns the exit code. */
export async function evaluateVisitors(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(FORM_OF_USE);
    return 0;
  }
  const valuesOf = (option: string) => args.filter((_, index) => args[index - 1] === option);
  const [details] = valuesOf('--details');
  const earlier = valuesOf('--compare').flatMap(readVisits);
  const run = await visitAll(
    readSets(valuesOf('--set'), valuesOf('--documents'), valuesOf('--kind')),
    { isScripted: args.includes('--scripted'), hasReader: !args.includes('--no-reader') },
    (title, visits, reached) => {
      printTable(title, visits, reached);
      if (args.includes('--failures')) printFailures(visits);
      const before = earlier.filter((line) => line.set === title).map(({ visit }) => visit);
      printFlips(visits, before);
    },
  );
  if (details !== undefined) writeFileSync(details, run.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return 0;
}

type Report = (title: string, visits: readonly Visit[], reached: ReadonlySet<string> | null) => void;

async function visitAll(
  sets: readonly VisitorSet[],
  { isScripted, hasReader }: { readonly isScripted: boolean; readonly hasReader: boolean },
  report: Report,
): Promise<readonly VisitLine[]> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'parley-eval-'));
  const perfect = createPerfectModel(sets.flatMap(({ messages }) => messages));
  const scripted = isScripted ? await startScriptedModel(perfect.reply) : null;
  const reader = hasReader ? {} : { READER: 'off' };
  const config = readConfig({
    ...process.env,
    ...reader,
    ...modelEnvironment(scripted),
    DATA_DIR: dataFolder,
  });
  const runtime = await openRuntime(config, createLog('warn'));
  const answerers = { '': null, ...(isScripted ? { ' perfect': 'openai-compatible:perfect' } : {}) };
  const run: VisitLine[] = [];
  try {
    for (const set of sets) {
      for (const [name, visits] of Object.entries(await visitProduct(runtime, set, answerers))) {
        const halves = Map.groupBy(visits, ({ message }) => (message.blind ? ' blind' : ''));
        for (const [half, some] of halves) {
          const title = `${set.name}${name}${half}`;
          report(title, some, name === '' ? null : perfect.reached);
          run.push(...some.map((visit) => ({ set: title, visit })));
        }
      }
    }
    return run;
  } finally {
    await runtime.close();
    scripted?.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function modelEnvironment(scripted: ScriptedModel | null): Readonly<Record<string, string>> {
  if (scripted === null) return {};
  return { LLM_MODELS: 'openai-compatible:perfect', OPENAI_COMPATIBLE_BASE_URL: scripted.baseUrl };
}

const ownSets = new URL('../sets/', import.meta.url);
const documentation = new URL('../../fixtures/documentation/', import.meta.url);

function readSets(
  files: readonly string[],
  folders: readonly string[],
  kinds: readonly string[],
): readonly VisitorSet[] {
  const given = files.map((file, index) => [file, folders[index] ?? '.'] as const);
  const own = [
    [fileURLToPath(new URL('demo.messages.jsonl', ownSets)), fileURLToPath(demoHelpCentre)],
    [fileURLToPath(new URL('misspelt.messages.jsonl', ownSets)), fileURLToPath(demoHelpCentre)],
    [fileURLToPath(new URL('documentation.messages.jsonl', ownSets)), fileURLToPath(documentation)],
  ] as const;
  return (given.length > 0 ? given : own).map(([file, documents]) => ({
    name: basename(file).replace(/\..*$/u, ''),
    documents,
    messages: readMessages(file).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)),
  }));
}

const GRADES = ['right', 'half', 'wrong', 'refused'] as const satisfies readonly Grade[];

function printTable(title: string, visits: readonly Visit[], reached: ReadonlySet<string> | null): void {
  print(
    `\n${title.padEnd(26)} ${['n', ...GRADES, 'nearby', ...(reached ? ['reached'] : [])].map((name) => name.padEnd(7)).join(' ')}`,
  );
  for (const [kind, some] of Map.groupBy(visits, ({ message }) => message.kind))
    printRow(kind, some, reached);
  const answerable = visits.filter(({ message }) => expectedOutcome(message) === 'answer');
  printRow('answerable', answerable, reached);
  const answered = visits.filter(({ confidence }) => confidence !== 'low');
  const exceptions = answered.filter(({ message }) => message.exception.length > 0);
  const told = exceptions.filter(({ message, answer }) =>
    message.exception.every((text) => isTold(text, answer)),
  );
  const found = Map.groupBy(answered.flatMap(findFaults), (fault) => fault);
  const form = [...found].map(([fault, list]) => `${fault} ${list.length}`).join(', ');
  print(`exceptions told ${told.length} of ${exceptions.length} answered; faults of form: ${form || 'none'}`);
}

/** `nearby` counts refusals whose related passages hold the answer. */
function printRow(name: string, visits: readonly Visit[], reached: ReadonlySet<string> | null): void {
  const counts = GRADES.map((grade) => visits.filter((visit) => gradeVisit(visit) === grade).length);
  const isShown = ({ message, sources }: Visit) =>
    message.expect.every((text) => isTold(text, sources.join('\n')));
  const nearby = visits.filter((visit) => gradeVisit(visit) === 'refused' && isShown(visit)).length;
  const read = reached === null ? [] : [visits.filter(({ message }) => reached.has(message.message)).length];
  const cells = [visits.length, ...counts, nearby, ...read];
  print(`${name.padEnd(26)} ${cells.map((count) => String(count).padEnd(7)).join(' ')}`);
}

function printFailures(visits: readonly Visit[]): void {
  for (const visit of visits) {
    const faults = findFaults(visit);
    const grade = gradeVisit(visit);
    if (grade === 'right' && (faults.length === 0 || visit.confidence === 'low')) continue;
    print(
      `- ${grade} ${visit.message.kind}: ${visit.message.message} [${visit.confidence}] ${faults.join(', ')}`,
    );
    if (grade !== 'refused') print(visit.answer.replace(/^/gmu, '    '));
  }
}

function printFlips(visits: readonly Visit[], before: readonly Visit[]): void {
  const keyOf = ({ message }: Visit) => JSON.stringify([...message.turns, message.message]);
  const grades = new Map(before.map((visit) => [keyOf(visit), gradeVisit(visit)]));
  for (const visit of visits) {
    const was = grades.get(keyOf(visit));
    const is = gradeVisit(visit);
    if (was !== undefined && was !== is) print(`  ${was} -> ${is}  ${visit.message.message}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
