import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const documentSchema = z.object({
  id: z.string(),
  title: z.string().optional(),
  text: z.string(),
  lang: z.string().optional(),
  format: z.string().optional(),
});

const questionSchema = z.object({
  id: z.string(),
  kind: z.string(),
  lang: z.string().default('en'),
  question: z.string(),
  doc: z.string().nullish(),
  answers: z.array(z.string()).optional(),
  evidence: z.array(z.object({ doc: z.string(), text: z.string() })).optional(),
});

export type EvalDocument = z.output<typeof documentSchema>;
export type EvalQuestion = z.output<typeof questionSchema>;

/** The documents of one language with their questions. */
export interface QuestionSet {
  readonly name: string;
  readonly language: string;
  readonly documents: readonly EvalDocument[];
  readonly questions: readonly EvalQuestion[];
}

/** Reads every `NAME.docs.jsonl` of a folder with its `NAME.questions.jsonl`, as one set per language. */
export function readQuestionSets(folder: string, nameParts: readonly string[]): QuestionSet[] {
  const names = readdirSync(folder).flatMap((file) => /^(.+)\.docs\.jsonl$/.exec(file)?.[1] ?? []);
  const chosen = names.filter(
    (name) => nameParts.length === 0 || nameParts.some((part) => name.includes(part)),
  );
  return chosen.sort().flatMap((name) => {
    const documents = readLines(join(folder, `${name}.docs.jsonl`), documentSchema);
    const questions = readLines(join(folder, `${name}.questions.jsonl`), questionSchema);
    const languages = [...new Set(questions.map((question) => question.lang))].sort();
    return languages.map((language) => ({
      name,
      language,
      documents: documents.filter((document) => (document.lang ?? 'en') === language),
      questions: questions.filter((question) => question.lang === language),
    }));
  });
}

function readLines<Item>(path: string, schema: z.ZodType<Item>): Item[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => schema.parse(JSON.parse(line)));
}
