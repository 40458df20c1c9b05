import { type Citation, type Source, type Tier, type Tiers, tierOf } from '../../contract/answer.ts';
import type { DocumentPassage } from '../../knowledge/neighbours.ts';
import { missingPartMessage, unsureMessage } from '../../language/localised-texts.ts';
import { bestScore, type SourcePassage, selectSources, takeInTurn, type UsablePassage } from '../answer.ts';
import type { FoundPart } from '../asked.ts';
import { answerRules, quoteRules } from '../rules.ts';
import { sourceLinks } from '../safety/addresses.ts';
import { LinkGuard } from '../safety/link-guard.ts';
import { findLead } from './lead-unit.ts';
import { gatherSection, type Section, type SectionPassage, sectionText } from './section.ts';

export interface Quotes {
  /** Empty if no question is answered. */
  readonly text: string;
  /** The units that answer, for channels without room for more; null: the text. */
  readonly lead: string | null;
  readonly sources: readonly Source[];
  /** Which part of the text is from which passages. */
  readonly citations: readonly Citation[];
  /** The tier of the best-answered question. */
  readonly tier: Tier;
  /** The best score for each answered question. */
  readonly scores: readonly number[];
}

interface Quoted extends Pick<Quotes, 'text' | 'sources' | 'citations' | 'lead' | 'tier'> {
  readonly part: FoundPart;
}

interface Choice {
  readonly tiers: Tiers;
  /** The maximum number of passages around which sections are shown. */
  readonly topK: number;
  /** The passages around those of `sectionHits`. Absent: sections are completed from what was found. */
  readonly around?: readonly DocumentPassage[];
}

/** Returns the passages around which sections may be shown. */
export function sectionHits(
  parts: readonly FoundPart[],
  { tiers, topK }: Pick<Choice, 'tiers' | 'topK'>,
): readonly string[] {
  const hits = parts.flatMap(({ found }) => {
    if (tierOf(bestScore(found), tiers) === 'none') return [];
    const [first, ...others] = found.ranked.slice(0, Math.min(topK, answerRules.sources));
    return first === undefined ? [] : [first, ...others.filter((next) => isNearlyAsGood(next, first))];
  });
  return [...new Set(hits.map(({ chunkId }) => chunkId))];
}

/**
 * Shows the section that answers each question, below the question if there are several, and names the questions without
 * one. A section that may be the answer says so. Pure.
 */
export function quoteParts(parts: readonly FoundPart[], choice: Choice): Quotes {
  const quoted = parts.map((part) => quotePart(part, choice));
  const answered = quoted.filter(({ tier }) => tier !== 'none');
  const [only] = answered;
  if (only === undefined) return { ...nothing, scores: [] };
  const scores = answered.map(({ part }) => bestScore(part.found));
  const tier = answered.some((one) => one.tier === 'answer') ? 'answer' : 'maybe';
  if (quoted.length === 1) return { ...only, scores, tier };
  const byText = Map.groupBy(quoted, ({ text, part }) => (text === '' ? part : text));
  const paragraphs = [...byText.values()].map((same) => {
    const questions = same.map(({ part }) => `**${part.label}**\n`).join('');
    const [first] = same;
    const text = first?.text || missingPartMessage(first?.part.label ?? '');
    return { text: questions + text, citations: moveBy(questions.length, first?.citations ?? []) };
  });
  const leads = [...new Set(answered.map(({ lead, text }) => lead ?? text))];
  return {
    ...joinParagraphs(paragraphs),
    lead: leads.join('\n'),
    sources: mergeSources(answered),
    tier,
    scores,
  };
}

const nothing = { text: '', lead: null, sources: [], citations: [], tier: 'none' } as const;

function quotePart(part: FoundPart, { tiers, topK, around = [] }: Choice): Quoted {
  const { found, text } = part;
  const tier = tierOf(bestScore(found), tiers);
  const usable = found.ranked.slice(0, topK);
  const [hit] = usable;
  if (tier === 'none' || hit === undefined) return { part, ...nothing };
  const pool = [...found.ranked, ...around];
  const sections = tier === 'answer' ? chooseSections(hit, usable, pool) : [gatherSection(hit, pool)];
  const links = sourceLinks([...usable, ...around].map(({ url, body }) => ({ url, text: body })));
  const lead = findLead(hit, found);
  const unsure = tier === 'maybe' ? unsureMessage(text) : '';
  const cards = sections.map((section, index) => toParagraph(section, index === 0 ? lead : null, links));
  const shown = new Set(sections.flatMap(({ passages }) => passages.map(({ chunkId }) => chunkId)));
  const isShown = ({ chunkId }: SourcePassage) => shown.has(chunkId);
  const sources = selectSources(sourcePassages(found.ranked, around), isShown);
  return {
    part,
    tier,
    ...joinParagraphs(unsure === '' ? cards : [{ text: unsure, citations: [] }, ...cards]),
    lead: lead === null ? null : `${unsure} ${lead}`.trim(),
    // An unsure answer names only what it shows.
    sources: tier === 'answer' ? sources : sources.filter(({ chunkId }) => shown.has(chunkId)),
  };
}

/** Returns what was found, with dates, and the passages around it, which score no better than the last one found. */
function sourcePassages(
  ranked: readonly UsablePassage[],
  around: readonly DocumentPassage[],
): readonly SourcePassage[] {
  const dates = new Map(around.map(({ documentId, changedAt }) => [documentId, changedAt]));
  const found = new Set(ranked.map(({ chunkId }) => chunkId));
  const score = ranked.at(-1)?.score ?? 0;
  return [
    ...ranked.map((passage) => ({ ...passage, changedAt: dates.get(passage.documentId) })),
    ...around.filter(({ chunkId }) => !found.has(chunkId)).map((passage) => ({ ...passage, score })),
  ];
}

type Paragraph = Pick<Quotes, 'text' | 'citations'>;

/** Returns a section without links to foreign hosts. */
function toParagraph(section: Section, lead: string | null, links: (address: string) => boolean): Paragraph {
  const guard = new LinkGuard(links);
  const text = guard.push(cardText(section, lead)) + guard.end();
  const chunkIds = section.passages.map(({ chunkId }) => chunkId);
  return { text, citations: [{ start: 0, end: text.length, chunkIds }] };
}

function joinParagraphs(paragraphs: readonly Paragraph[]): Paragraph {
  const gap = '\n\n';
  let length = 0;
  const citations: Citation[] = [];
  for (const paragraph of paragraphs) {
    citations.push(...moveBy(length, paragraph.citations));
    length += paragraph.text.length + gap.length;
  }
  return { text: paragraphs.map(({ text }) => text).join(gap), citations };
}

function moveBy(by: number, citations: readonly Citation[]): readonly Citation[] {
  return citations.map(({ start, end, chunkIds }) => ({ start: start + by, end: end + by, chunkIds }));
}

/** Returns the section of the best passage, and that of the next one if it is nearly as good. */
function chooseSections(
  hit: UsablePassage,
  usable: readonly UsablePassage[],
  pool: readonly SectionPassage[],
): readonly Section[] {
  const first = gatherSection(hit, pool);
  const next = usable.find((one) => !first.passages.some(({ chunkId }) => chunkId === one.chunkId));
  return next !== undefined && isNearlyAsGood(next, hit) ? [first, gatherSection(next, pool)] : [first];
}

function isNearlyAsGood(next: UsablePassage, first: UsablePassage): boolean {
  return next.score >= quoteRules.secondShare * first.score;
}

/** Returns a section, with the unit that answers in bold before it if it is long. */
function cardText(section: Section, lead: string | null): string {
  const text = sectionText(section);
  if (lead === null || text.length <= quoteRules.plainCharacters) return text;
  const bold = `**${lead.replaceAll('**', '')}**`;
  return text.startsWith(lead) ? `${bold}${text.slice(lead.length)}` : `${bold}\n\n${text}`;
}

/** Returns sources of every question, the best of each first, in the order of their scores. */
function mergeSources(answered: readonly Pick<Quotes, 'sources'>[]): readonly Source[] {
  const lists = answered.map(({ sources }) => sources);
  const merged = takeInTurn(lists, ({ chunkId }) => chunkId, answerRules.sources);
  return merged.toSorted((one, other) => other.score - one.score);
}
