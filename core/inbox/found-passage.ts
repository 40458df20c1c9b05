import { type RawBuilder, sql } from 'kysely';
import { hasSimilarTerm, hasSimilarWord } from '../conversations/list/search-conditions.ts';
import { similarWord } from '../conversations/list/search-query.ts';
import { extractSearchTerms } from '../conversations/messages/messages.ts';
import { fold } from '../language/words.ts';
import { plainLine } from './last-line.ts';

/** The number of characters of a message that are searched for the words, and of those before them: a row shows forty. */
const readChars = 10_000;
const charsBefore = 26;

/**
 * Joins as `found` the message or note of `conversation` that contains most of the words, the latest first. Another form of a
 * word counts less than the word. Null if the words are elsewhere, or if there are none.
 */
export function foundPassage(words: readonly string[], workspaceId: string): RawBuilder<unknown> {
  const counts = words.flatMap((word) => {
    const terms = [...extractSearchTerms(workspaceId, word)];
    if (terms.length === 0) return [];
    const asked = similarWord({ kind: 'words', text: word });
    const similar = asked === null ? [] : [sql`(${hasSimilarTerm(sql`terms`, workspaceId, asked)})::int`];
    return [sql.join([sql`2 * (terms @> ${terms}::integer[])::int`, ...similar], sql` + `)];
  });
  if (counts.length === 0)
    return sql`left join lateral (select null::text as text, 0 as matches) found on true`;
  const inNote = words.map((word) => {
    const asked = similarWord({ kind: 'words', text: word });
    const similar = asked === null ? [] : [sql`(${hasSimilarWord(sql`content`, workspaceId, asked)})::int`];
    return sql.join([sql`2 * (strpos(lower(content), lower(${word})) > 0)::int`, ...similar], sql` + `);
  });
  return sql`
    left join lateral (
      select text, matches from (
        (select left(content, ${readChars}) as text, ${sql.join(counts, sql` + `)} as matches, created_at
         from message where conversation_id = conversation.id and workspace_id = ${workspaceId} and purpose is null
         order by matches desc, position desc limit 1)
        union all
        (select left(content, ${readChars}), ${sql.join(inNote, sql` + `)} as matches, created_at
         from note where conversation_id = conversation.id and workspace_id = ${workspaceId}
         order by matches desc, created_at desc limit 1)
      ) passage
      order by matches desc, created_at desc limit 1
    ) found on true`;
}

export interface FoundRow {
  readonly found_text: string | null;
  readonly found_matches: number | null;
}

export const foundColumns = sql`found.text as found_text, found.matches as found_matches`;

/** Returns what stands around the first of the words, as plain text in one line; null if the row has none of them. Pure. */
export function passageAround(
  { found_text: text, found_matches: matches }: FoundRow,
  words: readonly string[],
) {
  if (text === null || !matches) return null;
  const folded = fold(text);
  // The places are those of the text only if no letter became two.
  const [plain, asked] = folded.length === text.length ? [folded, fold] : [text.toLowerCase(), lowerCase];
  const places = words.map((word) => findForm(plain, asked(word))).filter((place) => place >= 0);
  const place = places.length === 0 ? 0 : Math.min(...places);
  if (place <= charsBefore) return plainLine(text);
  const start = text.indexOf(' ', place - charsBefore);
  return `… ${plainLine(text.slice(start < 0 || start > place ? place : start + 1))}`;
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

/** A word of three letters or more may have another ending in the text than in the search. */
function findForm(text: string, word: string): number {
  for (let length = word.length; length >= Math.min(3, word.length); length -= 1) {
    const place = text.indexOf(word.slice(0, length));
    if (place >= 0) return place;
  }
  return -1;
}
