import { type Source, type Tier, type Tiers, tierOf } from '../../contract/answer.ts';
import { missingPartMessage, unsureMessage } from '../../language/localised-texts.ts';
import { bestScore, selectSources, takeInTurn, type UsablePassage } from '../answer.ts';
import type { FoundPart } from '../asked.ts';
import { answerRules, quoteRules } from '../rules.ts';
import { sourceLinks } from '../safety/addresses.ts';
import { LinkGuard } from '../safety/link-guard.ts';
import { findLead } from './lead-unit.ts';
import { gatherSection, type Section, sectionText } from './section.ts';

export interface Quotes {
  /** Empty if no question is answered. */
  readonly text: string;
  /** The units that answer, for channels without room for more; null: the text. */
  readonly lead: string | null;
  readonly sources: readonly Source[];
  /** Of the best-answered question. */
  readonly tier: Tier;
  /** The best score for each answered question. */
  readonly scores: readonly number[];
}

interface Quoted extends Pick<Quotes, 'text' | 'sources' | 'lead' | 'tier'> {
  readonly part: FoundPart;
}

interface Choice {
  readonly tiers: Tiers;
  /** The maximum number of passages. */
  readonly topK: number;
}

/**
 * Shows the section that answers each question, below the question if there are several, and names the questions without
 * one. A section that may be the answer says so. Pure.
 */
export function quoteParts(parts: readonly FoundPart[], choice: Choice): Quotes {
  const quoted = parts.map((part) => quotePart(part, choice));
  const answered = quoted.filter(({ tier }) => tier !== 'none');
  const [only] = answered;
  if (only === undefined) return { text: '', lead: null, sources: [], tier: 'none', scores: [] };
  const scores = answered.map(({ part }) => bestScore(part.found));
  const tier = answered.some((one) => one.tier === 'answer') ? 'answer' : 'maybe';
  if (quoted.length === 1) return { ...only, scores, tier };
  const byText = Map.groupBy(quoted, ({ text, part }) => (text === '' ? part : text));
  const paragraphs = [...byText.values()].map((same) => {
    const questions = same.map(({ part }) => `**${part.label}**`).join('\n');
    const [first] = same;
    return `${questions}\n${first?.text || missingPartMessage(first?.part.label ?? '')}`;
  });
  const leads = [...new Set(answered.map(({ lead, text }) => lead ?? text))];
  return {
    text: paragraphs.join('\n\n'),
    lead: leads.join('\n'),
    sources: mergeSources(answered),
    tier,
    scores,
  };
}

function quotePart(part: FoundPart, { tiers, topK }: Choice): Quoted {
  const { found, text } = part;
  const tier = tierOf(bestScore(found), tiers);
  const usable = found.ranked.slice(0, topK);
  const [hit] = usable;
  if (tier === 'none' || hit === undefined) return { part, tier: 'none', text: '', lead: null, sources: [] };
  const sections = tier === 'answer' ? chooseSections(hit, usable) : [gatherSection(hit, usable)];
  const card = sections
    .map((section, index) => cardText(section, index === 0 ? findLead(section.hit, found) : null))
    .join('\n\n');
  const unsure = tier === 'maybe' ? unsureMessage(text) : '';
  const shown = new Set(sections.flatMap(({ passages }) => passages.map(({ chunkId }) => chunkId)));
  const guard = new LinkGuard(sourceLinks(usable.map(({ url, body }) => ({ url, text: body }))));
  const lead = findLead(hit, found);
  return {
    part,
    tier,
    text: guard.push(joinParagraphs(unsure, card)) + guard.end(),
    lead: lead === null ? null : `${unsure} ${lead}`.trim(),
    sources: selectSources(found.ranked, ({ chunkId }) => shown.has(chunkId)),
  };
}

/** Returns the section of the best passage, and that of the next one if it is nearly as good. */
function chooseSections(hit: UsablePassage, usable: readonly UsablePassage[]): readonly Section[] {
  const first = gatherSection(hit, usable);
  const next = usable.find((one) => !first.passages.some(({ chunkId }) => chunkId === one.chunkId));
  const isNear = next !== undefined && next.score >= quoteRules.secondShare * hit.score;
  return isNear ? [first, gatherSection(next, usable)] : [first];
}

/** Returns a section, with the unit that answers in bold before it if it is long. */
function cardText(section: Section, lead: string | null): string {
  const text = sectionText(section);
  if (lead === null || text.length <= quoteRules.plainCharacters) return text;
  const bold = `**${lead.replaceAll('**', '')}**`;
  return text.startsWith(lead) ? `${bold}${text.slice(lead.length)}` : `${bold}\n\n${text}`;
}

function joinParagraphs(...paragraphs: readonly string[]): string {
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

/** Returns sources of every question, the best of each first, in the order of their scores. */
function mergeSources(answered: readonly Pick<Quotes, 'sources'>[]): readonly Source[] {
  const lists = answered.map(({ sources }) => sources);
  const merged = takeInTurn(lists, ({ chunkId }) => chunkId, answerRules.sources);
  return merged.toSorted((one, other) => other.score - one.score);
}
