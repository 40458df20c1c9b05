import type { Kysely } from 'kysely';
import type { Source } from '../../contract/answer.ts';
import {
  type ConflictSide,
  findConflictsOf,
  type PassageConflict,
} from '../../knowledge/facts/fact-conflicts.ts';
import type { QuotedPage } from '../../language/language-texts.ts';
import { findText } from '../../language/localised-texts.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Question } from '../question.ts';
import { answerRules } from '../rules.ts';
import { sourceLinks } from '../safety/addresses.ts';
import { LinkGuard } from '../safety/link-guard.ts';

interface Quoted {
  readonly text: string;
  readonly sources: readonly Source[];
}

type Asked = Pick<Question, 'workspaceId' | 'audience' | 'documentIds' | 'skills'>;

/** More contradictions in one answer do not help its reader. */
const MAX_NAMED = 2;

/**
 * Returns a text that names the pages which contradict a quoted answer, with the sources of both. The text is empty if
 * none does.
 */
export async function findDisagreement(
  database: Kysely<Tables>,
  { workspaceId, audience, documentIds, skills }: Asked,
  quoted: Quoted,
): Promise<Quoted> {
  const chunkIds = quoted.sources.map(({ chunkId }) => chunkId);
  const conflicts = await findConflictsOf(database, { workspaceId, audience, chunkIds });
  const readable = conflicts.filter(
    ({ other }) => documentIds === null || documentIds.includes(other.documentId),
  );
  return nameDisagreement(quoted, readable, skills.moment.language);
}

/** Names the contradictions of what a text quotes. Pure. */
export function nameDisagreement(
  { text, sources }: Quoted,
  conflicts: readonly PassageConflict[],
  language: string,
): Quoted {
  const named = conflicts.filter(({ shown }) => isQuoted(shown, text)).slice(0, MAX_NAMED);
  const paragraphs = named.map(({ shown, other }) => {
    const guard = new LinkGuard(sourceLinks([{ url: other.url, text: other.body }]));
    const sentence = guard.push(other.text) + guard.end();
    const pages = [
      toQuotedPage(shown, language),
      toQuotedPage({ ...other, text: sentence }, language),
    ] as const;
    return findText('disagreement', language)(...pages);
  });
  return {
    text: [...new Set(paragraphs)].join('\n\n'),
    sources: named.reduce<readonly Source[]>((all, conflict) => withOther(all, conflict), sources),
  };
}

/** A sentence is quoted as it is. The cells of a row stand in a table, so its number is looked for. */
function isQuoted({ text: sentence, mark }: ConflictSide, text: string): boolean {
  return text.includes(sentence) || (/\d/.test(mark) && text.includes(mark));
}

function toQuotedPage({ text, title, changedAt }: ConflictSide, language: string): QuotedPage {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(changedAt);
  return { text: text.trim(), title, date };
}

/** Adds the other page as a source; if the list is full, in the place of the last one. */
function withOther(sources: readonly Source[], { shown, other }: PassageConflict): readonly Source[] {
  if (sources.some(({ chunkId }) => chunkId === other.chunkId)) return sources;
  const score = sources.find(({ chunkId }) => chunkId === shown.chunkId)?.score ?? 0;
  const { documentId, chunkId, title, url, changedAt, body } = other;
  const kept = sources.slice(0, answerRules.sources - 1);
  const source = {
    documentId,
    chunkId,
    title,
    url,
    headings: [],
    changedAt,
    chunk: body,
    place: null,
    score,
  };
  return [...kept, source].toSorted((one, another) => another.score - one.score);
}
