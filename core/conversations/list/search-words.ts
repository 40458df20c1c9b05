import { type Kysely, sql, type Transaction } from 'kysely';
import { editDistance } from '../../base/edit-distance.ts';
import { isUnspaced } from '../../language/tokens.ts';
import { fold, foldCase, splitWords } from '../../language/words.ts';
import { batchRows, type TaskContext } from '../../storage/maintenance-task.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { extractSearchTerms } from '../messages/messages.ts';

/** Longer than a transaction takes from its time to its commit. */
const lagMs = 60_000;
/** The number of conversations that are read in one transaction, and of the latest messages and notes of each. */
const mostConversations = 25;
const mostTexts = 500;
const readChars = 10_000;
const longestWord = 40;

interface ChangedRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly updated_at: string;
  readonly texts: readonly string[];
}

/**
 * Collects the words of the conversations that changed since the last round, of all workspaces. A process that dies
 * loses a batch, which the next round reads again.
 */
export async function collectSearchWords({ transaction, now }: TaskContext): Promise<number> {
  const changed = await findChanged(transaction, new Date(now.getTime() - lagMs));
  if (changed.length === 0) return 0;
  await storeWords(transaction, changed);
  const last = [...new Map(changed.map((row) => [row.workspace_id, row])).values()];
  await sql`
    insert into search_progress (workspace_id, updated_until, conversation_id)
    select * from unnest(${last.map(({ workspace_id }) => workspace_id)}::text[],
      ${last.map(({ updated_at }) => updated_at)}::timestamptz[], ${last.map(({ id }) => id)}::text[])
    on conflict (workspace_id) do update
    set updated_until = excluded.updated_until, conversation_id = excluded.conversation_id
  `.execute(transaction);
  return changed.length < mostConversations ? changed.length : batchRows;
}

/** A message of a conversation that was read before is older than its last change, so only later ones are read again. */
async function findChanged(transaction: Transaction<Tables>, before: Date): Promise<readonly ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    select changed.id, workspace.id as workspace_id,
           to_char(changed.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as updated_at,
           array[changed.customer] || changed.tags || array(
             select left(content, ${readChars}) from (
               select content, created_at from message
               where conversation_id = changed.id and workspace_id = workspace.id
                 and greatest(created_at, edited_at) >= coalesce(done.updated_until, '-infinity') - interval '1 hour'
               union all
               select content, created_at from note
               where conversation_id = changed.id and workspace_id = workspace.id
                 and greatest(created_at, edited_at) >= coalesce(done.updated_until, '-infinity') - interval '1 hour'
               order by created_at desc limit ${mostTexts}
             ) as said
           ) as texts
    from workspace
    left join search_progress as done on done.workspace_id = workspace.id
    cross join lateral (
      select id, updated_at, tags, concat_ws(' ', customer_name, customer_email) as customer
      from conversation
      where workspace_id = workspace.id and updated_at < ${before}
        and (updated_at, id) > (coalesce(done.updated_until, '-infinity'), coalesce(done.conversation_id, ''))
      order by updated_at, id
      limit ${mostConversations}
    ) as changed
    where workspace.deleted_at is null
    order by workspace.id, changed.updated_at, changed.id
    limit ${mostConversations}
  `.execute(transaction);
  return rows;
}

/** Sorted, so that no two transactions wait for each other. */
async function storeWords(transaction: Transaction<Tables>, changed: readonly ChangedRow[]): Promise<void> {
  const found = new Map<string, object>();
  for (const { id, workspace_id, updated_at, texts } of changed) {
    for (const word of texts.flatMap((text) => splitWords(foldCase(text)))) {
      const folded = fold(word);
      if (folded.length < 2 || folded.length > longestWord || isUnspaced(folded)) continue;
      const [term] = extractSearchTerms(workspace_id, folded);
      const seen = { conversation_id: id, seen_on: updated_at.slice(0, 10) };
      found.set(`${workspace_id} ${folded} ${word}`, {
        ...{ workspace_id, folded, word, term, letters: letterBits(folded), ...seen },
      });
    }
  }
  const words = [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  await sql`
    insert into search_word (workspace_id, folded, word, conversation_id, seen_on, term, letters)
    select workspace_id, folded, word, conversation_id, seen_on, term, letters
    from json_to_recordset(${JSON.stringify(words)}::json) as collected (
      workspace_id text, folded text, word text, conversation_id text, seen_on date, term integer, letters integer)
    -- A conflict locks its row, which is a write, and most words are known.
    where not exists (
      select from search_word as known
      where known.workspace_id = collected.workspace_id and known.folded = collected.folded
        and known.word = collected.word and known.seen_on >= collected.seen_on - 7
    )
    on conflict (workspace_id, folded, word) do update
    set conversation_id = excluded.conversation_id, seen_on = excluded.seen_on
  `.execute(transaction);
}

/** One of 31 bits for each letter. An edit changes two of them at most. */
function letterBits(folded: string): number {
  let bits = 0;
  for (let at = 0; at < folded.length; at += 1) bits |= 1 << (folded.charCodeAt(at) % 31);
  return bits;
}

/** Shorter words have too many neighbours. From the second length on, two letters may be wrong. */
const shortestCorrected = 4;
const twoEditsFrom = 6;
/** Bounds the search of a workspace with many words, and the number that are compared letter by letter. */
const mostRead = 200_000;
const mostCompared = 2_000;
/** Of words that are equally near, the one in most messages is chosen, up to this number. */
const mostCounted = 100;

/**
 * Returns for each of the words that a search looks for, and that no conversation of the workspace has, the nearest one that
 * occurs. Words with digits, and those that nothing is near to, are left out.
 */
export async function findCorrections(
  database: Kysely<Tables>,
  workspaceId: string,
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const corrections = new Map<string, string>();
  for (const asked of new Set(words)) {
    const best = await findNearest(database, workspaceId, fold(asked));
    if (best !== null) corrections.set(asked, best);
  }
  return corrections;
}

async function findNearest(
  database: Kysely<Tables>,
  workspaceId: string,
  asked: string,
): Promise<string | null> {
  if (asked.length < shortestCorrected || asked.length > longestWord || !/^\p{L}+$/u.test(asked)) return null;
  const edits = asked.length < twoEditsFrom ? 1 : 2;
  const { rows } = await sql<{ word: string; folded: string }>`
    select word, folded from (
      select word, folded, letters from search_word where workspace_id = ${workspaceId} limit ${mostRead}
    ) as known
    where length(folded) between ${asked.length - edits} and ${asked.length + edits}
      and bit_count((letters # ${letterBits(asked)}::integer)::bit(32)) <= ${2 * edits}
      and not exists (select from similar_words(${workspaceId}, ${asked}))
    order by left(folded, 1) <> left(${asked}, 1), abs(length(folded) - ${asked.length}), folded
    limit ${mostCompared}
  `.execute(database);
  const near = rows
    .map(({ word, folded }) => ({ word, cost: costOf(asked, folded) }))
    .filter(({ cost }) => cost < edits + 1);
  const least = Math.min(...near.map(({ cost }) => cost));
  return findCommonest(
    database,
    workspaceId,
    near.flatMap(({ word, cost }) => (cost === least ? [word] : [])),
  );
}

/** The number of edits. Of equally many, those behind the first letter are more likely. */
function costOf(asked: string, folded: string): number {
  return editDistance(asked, folded) + (asked[0] === folded[0] ? 0 : 0.5);
}

async function findCommonest(
  database: Kysely<Tables>,
  workspaceId: string,
  words: readonly string[],
): Promise<string | null> {
  if (words.length < 2) return words[0] ?? null;
  const { rows } = await sql<{ word: string }>`
    select word from search_word
    where workspace_id = ${workspaceId} and word = any (${words.slice(0, 20)}::text[])
    order by (
      select count(*) from (
        select from message where workspace_id = ${workspaceId} and terms @> array[search_word.term]
        limit ${mostCounted}
      ) as counted
    ) desc, word
    limit 1
  `.execute(database);
  return rows[0]?.word ?? null;
}
