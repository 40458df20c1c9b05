import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { ListReader } from './filters.ts';
import {
  containsTerms,
  hasNameParts,
  isAssignedTo,
  isUnread,
  isWaiting,
  namesCustomer,
  nothing,
  selectByCustomer,
  selectByTerms,
} from './row-conditions.ts';
import { type SearchClause, type SearchState, type SearchTerm, similarWord } from './search-query.ts';

type Condition = Expression<SqlBool>;

/**
 * Returns the SQL conditions on `conversation` of a search: all must hold. Words also match their other forms and what begins
 * with them, unless the reader asks for one of the two. Pure.
 */
export function searchConditions(clauses: readonly SearchClause[], reader: ListReader): readonly Condition[] {
  const exact = () => clauses.map((clause) => clauseCondition(clause, reader, termCondition));
  if (reader.matches === 'exact') return exact();
  const all = clauses.map((clause) => clauseCondition(clause, reader, similarCondition));
  if (reader.matches === undefined) return all;
  return [...all, sql<SqlBool>`(${sql.join(exact(), sql` and `)}) is not true`];
}

function clauseCondition(
  { either }: SearchClause,
  reader: ListReader,
  matches: typeof termCondition,
): Condition {
  const conditions = either.map(({ term, isNegated }) =>
    // A column may be null, and not null is not true. Only what was typed is excluded.
    isNegated ? sql<SqlBool>`(${termCondition(term, reader)}) is not true` : matches(term, reader),
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** The number of clauses that candidates are selected for: each further one narrows little. */
const mostSelected = 3;

/**
 * Queries for the ids of all conversations that a clause can match, for the clauses of words and names. The planner finds none
 * of their indexes by itself, because a word may be in a message, a note, a name or a tag. Pure.
 */
export function searchCandidates(
  clauses: readonly SearchClause[],
  reader: Pick<ListReader, 'workspaceId'>,
): readonly RawBuilder<unknown>[] {
  const queries = clauses.flatMap(({ either: [first, ...others] }) => {
    if (first === undefined || others.length > 0 || first.isNegated) return [];
    return candidatesOf(first.term, reader.workspaceId);
  });
  return queries.slice(0, mostSelected);
}

function candidatesOf(term: SearchTerm, workspaceId: string): readonly RawBuilder<unknown>[] {
  if (!('text' in term) || !hasNameParts(term.text)) return [];
  const named = selectByCustomer(workspaceId, term.text);
  if (term.kind === 'from') return [named];
  if (term.kind !== 'words' && term.kind !== 'phrase') return [];
  const asked = similarWord(term);
  return [
    sql`
      select id from (
        ${selectByTerms(workspaceId, term.text)}
        ${asked === null ? sql`` : selectBySimilar(workspaceId, asked)}
        union all
        select conversation_id from note
        where workspace_id = ${workspaceId} and ${contains(sql`content`, term.text)}
        union all ${named}
        union all
        select conversation.id from conversation
        where workspace_id = ${workspaceId} and tags <> '{}' and ${hasTagLike(term.text)}
      ) found`,
  ];
}

function termCondition(term: SearchTerm, reader: ListReader): Condition {
  const is = expressionBuilder<Tables, 'conversation'>();
  switch (term.kind) {
    case 'words':
    case 'phrase':
      return sql<SqlBool>`(
        ${inMessage(term, reader.workspaceId)} or ${inNote(term.text, reader.workspaceId)}
        or ${namesCustomer(term.text)} or ${hasTagLike(term.text)}
      )`;
    case 'from':
      return namesCustomer(term.text);
    case 'tag':
      return sql<SqlBool>`exists (select from unnest(tags) tag where lower(tag) = lower(${term.text}))`;
    case 'channel':
      return is('channel', '=', term.text);
    case 'is':
      return stateCondition(term.state, reader);
    case 'before':
      return is('started_at', '<', new Date(term.time));
    case 'after':
      return is('last_message_at', '>=', new Date(term.time));
    case 'invalid':
      return nothing;
  }
}

function similarCondition(term: SearchTerm, reader: ListReader): Condition {
  const { workspaceId } = reader;
  const asked = similarWord(term);
  const exact = termCondition(term, reader);
  if (asked === null) return exact;
  return sql<SqlBool>`(${exact} or exists (
    select from message
    where message.conversation_id = conversation.id and message.workspace_id = ${workspaceId}
      and ${hasSimilarTerm(sql`message.terms`, workspaceId, asked)}
  ) or exists (
    select from note
    where note.conversation_id = conversation.id and note.workspace_id = ${workspaceId}
      and ${hasSimilarWord(sql`note.content`, workspaceId, asked)}
  ))`;
}

/** Whether one of the terms of a message is that of a word like the folded one. The words are read once a statement. */
export function hasSimilarTerm(terms: RawBuilder<unknown>, workspaceId: string, asked: string): Condition {
  return sql<SqlBool>`${terms} && (
    select coalesce(array_agg(distinct term), '{}') from similar_words(${workspaceId}, ${asked})
  )`;
}

export function hasSimilarWord(text: RawBuilder<unknown>, workspaceId: string, asked: string): Condition {
  return sql<SqlBool>`exists (
    select from similar_words(${workspaceId}, ${asked}) as form where strpos(lower(${text}), form.word) > 0
  )`;
}

function selectBySimilar(workspaceId: string, asked: string): RawBuilder<unknown> {
  return sql`
        union all
        select conversation_id from message
        where workspace_id = ${workspaceId} and ${hasSimilarTerm(sql`terms`, workspaceId, asked)}
        union all
        select conversation_id from note
        where workspace_id = ${workspaceId} and ${hasSimilarWord(sql`content`, workspaceId, asked)}`;
}

function stateCondition(state: SearchState, { personId }: ListReader): Condition {
  const is = expressionBuilder<Tables, 'conversation'>();
  switch (state) {
    case 'unread':
      return isUnread(personId);
    case 'waiting':
      return isWaiting;
    case 'mine':
      return isAssignedTo(personId);
    case 'unassigned':
      return is('assignee_id', 'is', null);
    default:
      return is('status', '=', state);
  }
}

/** A phrase has all its words in one message, so that their index finds the messages to look into. */
function inMessage({ kind, text }: SearchTerm & { readonly text: string }, workspaceId: string): Condition {
  return kind === 'phrase'
    ? containsTerms(workspaceId, text, contains(sql`message.content`, text))
    : containsTerms(workspaceId, text);
}

function inNote(text: string, workspaceId: string): Condition {
  return sql<SqlBool>`exists (
    select from note
    where note.conversation_id = conversation.id and note.workspace_id = ${workspaceId}
      and ${contains(sql`note.content`, text)}
  )`;
}

function hasTagLike(text: string): Condition {
  return sql<SqlBool>`exists (select from unnest(tags) tag where ${contains(sql`tag`, text)})`;
}

function contains(column: RawBuilder<unknown>, text: string): Condition {
  return sql<SqlBool>`strpos(lower(${column}), lower(${text})) > 0`;
}
