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

export const questionSchema = z.object({
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

/** Documents of one workspace with their questions. */
export interface QuestionSet {
  readonly name: string;
  /** The code of their language, or `mixed`. */
  readonly language: string;
  readonly documents: readonly EvalDocument[];
  readonly questions: readonly EvalQuestion[];
}

/** The part of a folder to read. */
export interface SetChoice {
  /** Parts of the names of sets; all sets if empty. */
  readonly names: readonly string[];
  /** Codes of languages; all languages if empty. */
  readonly languages: readonly string[];
  /** Puts the documents of all languages of a set into one workspace. */
  readonly isMixed: boolean;
}

/**
 * Reads every `NAME.docs.jsonl` of a folder with its `NAME.questions.jsonl`, as one set per language. In a mixed set the
 * questions of each language are asked about the documents of all of them.
 */
export function readQuestionSets(folder: string, { names, languages, isMixed }: SetChoice): QuestionSet[] {
  const known = readdirSync(folder).flatMap((file) => /^(.+)\.docs\.jsonl$/.exec(file)?.[1] ?? []);
  const chosen = known.filter((name) => names.length === 0 || names.some((part) => name.includes(part)));
  return chosen.sort().flatMap((name) => {
    const isWanted = (language: string) => languages.length === 0 || languages.includes(language);
    const documents = readLines(join(folder, `${name}.docs.jsonl`), documentSchema).filter(
      ({ lang = 'en' }) => isWanted(lang),
    );
    const questions = readLines(join(folder, `${name}.questions.jsonl`), questionSchema).filter(({ lang }) =>
      isWanted(lang),
    );
    if (isMixed) return [{ name, language: 'mixed', documents, questions }];
    const spoken = [...new Set(questions.map((question) => question.lang))].sort();
    return spoken.map((language) => ({
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
