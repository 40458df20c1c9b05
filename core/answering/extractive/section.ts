import type { DocumentPassage } from '../../knowledge/neighbours.ts';
import { quoteRules } from '../rules.ts';

/** The part of a passage that a section is made of. */
export type SectionPassage = Pick<
  DocumentPassage,
  'chunkId' | 'documentId' | 'ordinal' | 'headings' | 'body'
>;

/** All passages under one heading around a passage that was found, in reading order: the unit that is shown. */
export interface Section {
  readonly passages: readonly SectionPassage[];
}

/**
 * Returns the section around a passage: its neighbours in `around` under the same headings, while the section stays
 * short. A list, a table or code that was cut between passages is completed beyond that. Pure.
 */
export function gatherSection(hit: SectionPassage, around: readonly SectionPassage[]): Section {
  let passages: readonly SectionPassage[] = [hit];
  for (const step of [1, -1] as const) {
    for (let next = growth(passages, around, step); next !== null; next = growth(next, around, step))
      passages = next;
  }
  return { passages };
}

/** Returns the passages with the one after (or before) them; null if there is none, or if it makes them too long. */
function growth(
  passages: readonly SectionPassage[],
  around: readonly SectionPassage[],
  step: 1 | -1,
): readonly SectionPassage[] | null {
  const edge = step === 1 ? passages.at(-1) : passages[0];
  const next = edge && neighbour(edge, around, step);
  if (edge === undefined || next === undefined) return null;
  const isWhole = step === 1 ? isCut(edge, next) : isCut(next, edge);
  const grown = step === 1 ? [...passages, next] : [next, ...passages];
  const length = grown.reduce((sum, { body }) => sum + body.length, 0);
  return length > (isWhole ? quoteRules.wholeCharacters : quoteRules.sectionCharacters) ? null : grown;
}

function neighbour(
  passage: SectionPassage,
  around: readonly SectionPassage[],
  step: 1 | -1,
): SectionPassage | undefined {
  const path = passage.headings.join('\n');
  return around.find(
    (one) =>
      one.documentId === passage.documentId &&
      one.ordinal === passage.ordinal + step &&
      one.headings.join('\n') === path,
  );
}

const LIST_LINE = /^(?: {2,}\S| *(?:[-*+•]|\d{1,3}[.)]) )/u;

/** Whether a list, a table or code goes on from one passage to the next. */
function isCut(first: Pick<SectionPassage, 'body'>, second: Pick<SectionPassage, 'body'>): boolean {
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
  let before: SectionPassage | null = null;
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
