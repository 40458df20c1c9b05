import { readFileSync } from 'node:fs';
import { gatherSection, sectionText } from '../../../core/answering/extractive/section.ts';
import { splitQuestions } from '../../../core/answering/understanding/split-questions.ts';
import { waitUntilIndexed } from '../../../core/knowledge/documents/documents.ts';
import { meaning } from '../../../core/knowledge/ranking/rank-candidates.ts';
import { searchKnowledge } from '../../../core/knowledge/search.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { isRight as holdsAnswer, messageSchema } from '../everyday/everyday-set.ts';
import { questionSchema } from '../question-set.ts';

/** The evidence for the first passage found for a question, and whether its section answers. */
export interface Evidence {
  readonly fused: number;
  readonly meaning: number;
  readonly lead: number;
  readonly isRight: boolean;
}

interface AskedQuestion {
  readonly text: string;
  /** Whether the section answers; `document` is the id of its document in the set. */
  readonly isAnswered: (section: string, document: string | undefined) => boolean;
}

export interface CalibrationSet {
  readonly name: string;
  readonly documents: readonly {
    readonly id: string;
    readonly title?: string | undefined;
    readonly text: string;
    readonly isMarkdown: boolean;
  }[];
  readonly questions: readonly AskedQuestion[];
}

/** Reads a set of questions or of messages in everyday wording, in English. */
export function readCalibrationSet(path: string): CalibrationSet {
  const documents = readLines(`${path}.docs.jsonl`).filter(isEnglish);
  const questions = readLines(`${path}.questions.jsonl`).filter(isEnglish);
  const isEveryday = questions.some((line) => 'message' in line);
  return {
    name: path.replace(/^.*\//u, ''),
    documents: documents.map(({ id, title, text, format }) => ({
      ...{ id: String(id), text: String(text), isMarkdown: isEveryday || format === 'markdown' },
      title: title === undefined || title === '' ? undefined : String(title),
    })),
    questions: questions.map((line) => (isEveryday ? toMessage(line) : toQuestion(line))),
  };
}

type Line = Readonly<Record<string, unknown>>;

function readLines(file: string): readonly Line[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line): Line => JSON.parse(line));
}

function isEnglish({ lang = 'en' }: Line): boolean {
  return lang === 'en';
}

function toMessage(line: Line): AskedQuestion {
  const message = messageSchema.parse(line);
  return { text: message.message, isAnswered: (answer) => holdsAnswer({ message, answer }) };
}

function toQuestion(line: Line): AskedQuestion {
  const { question, kind, doc, evidence = [] } = questionSchema.parse(line);
  const right = kind === 'answerable' ? [doc, ...evidence.map((one) => one.doc)] : [];
  return { text: question, isAnswered: (_, document) => document !== undefined && right.includes(document) };
}

/** Indexes the documents of a set and searches for its questions, and for questions of others, which it cannot answer. */
export async function collectEvidence(
  runtime: Runtime,
  { name, documents, questions }: CalibrationSet,
  foreign: readonly string[],
): Promise<readonly Evidence[]> {
  const { workspace } = await runtime.workspaces.create({ name, plan: 'enterprise' });
  const workspaceId = workspace.id;
  const ids = new Map<string, string>();
  for (const { id, title, text, isMarkdown } of documents) {
    const [extension, contentType] = isMarkdown ? ['md', 'text/markdown'] : ['txt', 'text/plain'];
    const file = { fileName: `${id}.${extension}`, contentType };
    const added = await runtime.documents.add({ workspaceId, bytes: Buffer.from(text), title, ...file });
    ids.set(added.id, id);
  }
  for (const documentId of ids.keys()) await waitUntilIndexed(runtime.documents, { workspaceId, documentId });
  const { database, embedder, corpora } = runtime;
  const dependencies = { database: database.kysely, embedder, corpora };
  const collected: Evidence[] = [];
  const asked = [...questions, ...foreign.map((text): AskedQuestion => ({ text, isAnswered: () => false }))];
  for (const { text, isAnswered } of asked) {
    const parts = splitQuestions(text);
    // Several questions in one message have no single first passage.
    if (parts.length !== 1) continue;
    const { ranked } = await searchKnowledge(dependencies, {
      workspaceId,
      question: text,
      audience: [],
      documentIds: null,
    });
    const [first] = ranked;
    if (first === undefined) continue;
    const section = sectionText(gatherSection(first, ranked));
    const isRight = isAnswered(section, ids.get(first.documentId));
    const { fused, lead } = first.parts;
    collected.push({ fused: round(fused), meaning: round(meaning(first.parts)), lead: round(lead), isRight });
  }
  return collected;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
