import type { RankedChunk } from '../../knowledge/passage.ts';
import type { UsablePassage } from '../answer.ts';
import { quoteRules } from '../rules.ts';

/** All passages under one heading around a passage that was found: the unit that is shown. */
export interface Section {
  /** The passage that was found. */
  readonly hit: UsablePassage;
  /** The passage and its neighbours, in reading order. */
  readonly passages: readonly UsablePassage[];
}

/**
 * Returns the section around a passage: its neighbours under the same headings, as far as they were found too, while the
 * section stays short. A list, a table or code that was cut between passages is completed beyond that. Pure.
 */
export function gatherSection(hit: UsablePassage, ranked: readonly UsablePassage[]): Section {
  let passages: readonly UsablePassage[] = [hit];
  for (const step of [1, -1] as const) {
    for (let next = growth(passages, ranked, step); next !== null; next = growth(next, ranked, step))
      passages = next;
  }
  return { hit, passages };
}

/** Returns the passages with the one after (or before) them; null if there is none, or if it makes them too long. */
function growth(
  passages: readonly UsablePassage[],
  ranked: readonly UsablePassage[],
  step: 1 | -1,
): readonly UsablePassage[] | null {
  const edge = step === 1 ? passages.at(-1) : passages[0];
  const next = edge && neighbour(edge, ranked, step);
  if (edge === undefined || next === undefined) return null;
  const isWhole = step === 1 ? isCut(edge, next) : isCut(next, edge);
  const grown = step === 1 ? [...passages, next] : [next, ...passages];
  const length = grown.reduce((sum, { body }) => sum + body.length, 0);
  return length > (isWhole ? quoteRules.wholeCharacters : quoteRules.sectionCharacters) ? null : grown;
}

function neighbour(
  passage: UsablePassage,
  ranked: readonly UsablePassage[],
  step: 1 | -1,
): UsablePassage | undefined {
  const path = passage.headings.join('\n');
  return ranked.find(
    (one) =>
      one.documentId === passage.documentId &&
      one.ordinal === passage.ordinal + step &&
      one.headings.join('\n') === path,
  );
}

const LIST_LINE = /^(?: {2,}\S| *(?:[-*+•]|\d{1,3}[.)]) )/u;

/** Whether a list, a table or code goes on from one passage to the next. */
function isCut(first: Pick<RankedChunk, 'body'>, second: Pick<RankedChunk, 'body'>): boolean {
  const end = first.body.slice(first.body.lastIndexOf('\n') + 1);
  return (
    (LIST_LINE.test(end) && LIST_LINE.test(second.body)) ||
    (end.startsWith('|') && second.body.startsWith('|')) ||
    (end.startsWith('```') && second.body.startsWith('```'))
  );
}

/** Returns the text of a section in Markdown; a table that was cut has its header once. */
export function sectionText({ passages }: Section): string {
  let text = '';
  let before: UsablePassage | null = null;
  for (const passage of passages) {
    if (before === null) text = passage.body;
    else if (!isCut(before, passage)) text += `\n\n${passage.body}`;
    else text += `\n${withoutRepeatedHeader(passage.body, text)}`;
    before = passage;
  }
  return text;
}

function withoutRepeatedHeader(body: string, before: string): string {
  const [labels = '', rule = '', ...rows] = body.split('\n');
  const header = `${labels}\n${rule}\n`;
  return labels.startsWith('|') && rows.length > 0 && before.includes(header) ? rows.join('\n') : body;
}
