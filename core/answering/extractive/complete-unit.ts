import { wholeWords } from '../../language/find-language.ts';
import { quoteRules } from '../rules.ts';
import type { ScoredSentence } from './score-sentences.ts';

const EXCEPTION = wholeWords(({ grammar }) => grammar?.quoteCues?.exceptions);
const POINTS_BELOW = wholeWords(({ grammar }) => grammar?.quoteCues?.below);
const ENDS = /[.!?。！？][)"'”»\]]*$/u;

/**
 * Returns the units that the one at `index` needs to be understood, including itself, in order: a list's lead-in needs its
 * items, a step the whole list, code the sentence before it, a heading the text below it, a row the rows that match as
 * well, a continuation the sentence before it. An exception in the next sentence comes along. The first unit of an answer
 * may exceed `room`, their length in characters, for a whole list or code; another one is left out if its list or code
 * does not fit.
 */
export function completeUnit(
  units: readonly ScoredSentence[],
  index: number,
  { room, isFirst }: { readonly room: number; readonly isFirst: boolean },
): readonly number[] {
  const chosen = [index];
  const wanted = companions(units, index);
  const group = [index, ...wanted];
  let left = isFirst ? limitOf(units, group, room) : room;
  left -= lengthOf(units, index);
  for (const companion of wanted) {
    left -= lengthOf(units, companion);
    if (left < 0) {
      if (!isFirst && units[index]?.role !== 'statement') return [];
      break;
    }
    chosen.push(companion);
  }
  return chosen.sort((one, other) => one - other);
}

function limitOf(units: readonly ScoredSentence[], group: readonly number[], room: number): number {
  const roles = new Set(group.map((index) => units[index]?.role));
  if (roles.has('code')) return quoteRules.codeCharacters;
  return roles.has('item') || roles.has('row') ? quoteRules.listCharacters : room;
}

function lengthOf(units: readonly ScoredSentence[], index: number): number {
  return (units[index]?.text.length ?? 0) + 1;
}

function companions(units: readonly ScoredSentence[], index: number): readonly number[] {
  const unit = units[index];
  switch (unit?.role) {
    case 'lead-in':
      return following(units, index);
    case 'heading':
      return belowHeading(units, index);
    case 'item':
      return listAround(units, index);
    case 'row':
      return [...leadIn(units, index), ...matchingRows(units, index)];
    case 'code':
      return index > 0 && isText(units[index - 1]) ? [index - 1] : [];
    case 'continuation':
      return [
        ...(index > 0 && units[index - 1]?.role !== 'heading' ? [index - 1] : []),
        ...whatBelongs(units, index),
      ];
    default:
      return whatBelongs(units, index);
  }
}

function isText(unit: ScoredSentence | undefined): boolean {
  return unit !== undefined && unit.role !== 'code' && unit.role !== 'row';
}

function belowHeading(units: readonly ScoredSentence[], index: number): readonly number[] {
  const next = units[index + 1];
  if (next === undefined) return [];
  if (next.role === 'lead-in') return [index + 1, ...following(units, index + 1)];
  if (next.role === 'item') return list(units, index + 1);
  return [index + 1, index + 2].filter((at) => at < units.length);
}

/** Returns the units after a statement that belong to it: code, the text that it points to, or an exception. */
function whatBelongs(units: readonly ScoredSentence[], index: number): readonly number[] {
  const next = units[index + 1];
  if (next === undefined) return [];
  if (next.role === 'code') return [index + 1];
  if (POINTS_BELOW.test(units[index]?.text ?? '')) return following(units, index);
  const isSentence = next.role === 'statement' || next.role === 'continuation';
  return isSentence && next.text.length <= quoteRules.exceptionCharacters && EXCEPTION.test(next.text)
    ? [index + 1]
    : [];
}

/**
 * Returns the list, the table or the code that starts after `index`, or else the next sentence. If few rows of the table
 * match better than the others, returns only these.
 */
function following(units: readonly ScoredSentence[], index: number): readonly number[] {
  const next = units[index + 1];
  if (next === undefined) return [];
  if (next.role === 'item') return list(units, index + 1);
  if (next.role !== 'row') return [index + 1];
  const rows = [index + 1, ...rowsOf(units, index + 1)];
  const best = rows.reduce((one, other) => (scoreOf(units, other) > scoreOf(units, one) ? other : one));
  const matching = [best, ...matchingRows(units, best)];
  return matching.length < quoteRules.rows && matching.length < rows.length ? matching : rows;
}

/** Whether the unit is part of a list: an item, or a line or code indented below one. */
export function isInList(unit: ScoredSentence | undefined): boolean {
  return unit !== undefined && (unit.role === 'item' || (unit.role !== 'row' && unit.indent > 0));
}

/** Returns all units of the list that contains the one at `index`. */
export function list(units: readonly ScoredSentence[], index: number): readonly number[] {
  let from = index;
  while (isInList(units[from - 1])) from -= 1;
  let to = index;
  while (isInList(units[to + 1])) to += 1;
  return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
}

/** Whether a list is only understood as a whole: it is announced, it has steps, or its items are no sentences. */
export function isWholeList(units: readonly ScoredSentence[], members: readonly number[]): boolean {
  const first = members[0] ?? 0;
  const text = units[first]?.text ?? '';
  const announced = first > 0 && /[:：]$/u.test(units[first - 1]?.text ?? '');
  return announced || /^\s*\(?\d/u.test(text) || !ENDS.test(text);
}

/** Returns the other members of a list, the one at `index` with what is below it first, or only these. */
function listAround(units: readonly ScoredSentence[], index: number): readonly number[] {
  const members = list(units, index);
  const after = members.filter((at) => at > index);
  const end = after.findIndex((at) => (units[at]?.indent ?? 0) <= (units[index]?.indent ?? 0));
  const own = end === -1 ? after : after.slice(0, end);
  if (!isWholeList(units, members)) return own;
  const others = members.filter((at) => at !== index && !own.includes(at));
  return [...leadIn(units, members[0] ?? index), ...own, ...others];
}

function leadIn(units: readonly ScoredSentence[], index: number): readonly number[] {
  let at = index - 1;
  while (units[at]?.role === 'item' || units[at]?.role === 'row') at -= 1;
  return units[at]?.role === 'lead-in' ? [at] : [];
}

function scoreOf(units: readonly ScoredSentence[], index: number): number {
  return units[index]?.score ?? 0;
}

function rowsOf(units: readonly ScoredSentence[], index: number): readonly number[] {
  const labels = units[index]?.row?.labels;
  return units.flatMap((unit, at) =>
    at !== index && labels !== undefined && unit.row?.labels === labels ? [at] : [],
  );
}

function matchingRows(units: readonly ScoredSentence[], index: number): readonly number[] {
  const least = scoreOf(units, index) - quoteRules.rowApart;
  return rowsOf(units, index)
    .filter((at) => scoreOf(units, at) >= least)
    .slice(0, quoteRules.rows - 1);
}
