import { describe, expect, test } from 'vitest';
import type { FoundPart } from '../../../core/answering/asked.ts';
import { type Basis, conclude, type Decision, decide } from '../../../core/answering/decide.ts';
import { toDecisionRecord } from '../../../core/answering/decision-record.ts';
import { analyseQuestion } from '../../../core/knowledge/ranking/analyse-question.ts';
import { type Correction, correctProbability } from '../../../core/workspaces/correction.ts';
import { fakeSkill, skillSet } from '../../helpers/models/skill-set.ts';

/** A question whose passages have the given scores. */
function found(text: string, ...scores: readonly number[]): FoundPart {
  const ranked = scores.map((score, place) => ({
    ...{
      chunkId: `${text.slice(0, 9)} ${place}`,
      documentId: 'doc_1',
      title: 'Delivery',
      url: null,
      place: null,
      headings: [],
    },
    ...{ ordinal: place, body: 'Three days.', bm25: 0, cosine: null, unitCosines: null, score },
    parts: { bm25: 0, coverage: 0, exact: 0, pairs: 0, cosine: 0, sentence: 0, fused: 0, lead: 0 },
  }));
  const statistics = { chunks: scores.length, documentFrequency: new Map<number, number>() };
  return { text, label: text, found: { question: analyseQuestion(text), ranked, statistics }, compared: [] };
}

const tiers = { answer: 0.4, maybe: 0.25 };
const question = { topK: 5, strictness: 'strict', searches: true, skills: skillSet(), tiers } as const;
const asked = { kind: 'questions', parts: [], findings: [] } as const;
const withSkill = { ...question, skills: skillSet({ skills: [fakeSkill({}).skill] }) };

describe('decides', () => {
  test.each([
    ['to reply to small talk', { asked: { kind: 'reply', by: 'small talk', text: 'Hello!' } }, 'reply'],
    ['to quote from .4 on without a model', { parts: [found('a', 0.4)], hasWriter: false }, 'quote'],
    ['to suggest from .25 on', { parts: [found('a', 0.25)], hasWriter: false }, 'suggest'],
    ['to fall back below that', { parts: [found('a', 0.24)], hasWriter: false }, 'fall back'],
    [
      'as the workspace sets its tiers',
      {
        parts: [found('a', 0.45)],
        hasWriter: false,
        question: { ...question, tiers: { answer: 0.5, maybe: 0.5 } },
      },
      'fall back',
    ],
    ['to let a model read whatever was found', { parts: [found('a', 0.001)] }, 'generate'],
    ['to fall back if nothing was found', { parts: [found('a')] }, 'fall back'],
    ['to choose skills if nothing was found', { parts: [], question: withSkill }, 'choose skills'],
    [
      'to let a model word findings',
      { asked: { ...asked, findings: [{ skill: 's', text: 't' }] } },
      'generate',
    ],
    [
      'to let a model answer from general knowledge if that is allowed',
      { parts: [], question: { ...question, strictness: 'fallback' } },
      'generate',
    ],
  ] as const)('%s', (_, change, act) => {
    const decision = decide({ question, asked, parts: [], hasWriter: true, ...change });
    expect(decision.act).toBe(act);
    expect(decision.because).toMatch(/^[A-Z].*\.$/u);
  });

  test('that a model reads the best passages of each question in turn, at most as many as asked for', () => {
    const parts = [found('a', 0.9, 0.8, 0.7), found('b', 0.3), found('c', 0.001)];
    const decision = decide({ question: { ...question, topK: 3 }, asked, parts, hasWriter: true });
    expect(decision).toMatchObject({
      passages: [{ chunkId: 'a 0' }, { chunkId: 'b 0' }, { chunkId: 'c 0' }],
    });
  });

  test('that a model reads passages while they fit, but at least one', () => {
    const [long, short] = [found('a', 0.9, 0.8), found('b', 0.3)];
    const ranked = long.found.ranked.map((passage) => ({ ...passage, body: 'x'.repeat(7_000) }));
    const parts = [{ ...long, found: { ...long.found, ranked } }, short];
    const decision = decide({ question, asked, parts, hasWriter: true });
    expect(decision).toMatchObject({ passages: [{ chunkId: 'a 0' }] });
    const reversed = decide({ question, asked, parts: parts.toReversed(), hasWriter: true });
    expect(reversed).toMatchObject({ passages: [{ chunkId: 'b 0' }] });
  });

  test('with a reason that names the score and the rule', () => {
    const decision = decide({ question, asked, parts: [found('a', 0.11)], hasWriter: false });
    expect(decision.because).toBe('The best passage scores 0.11 of at least 0.25 needed.');
  });
});

describe('concludes', () => {
  const parts = [found('a', 0.85), found('b', 0.6)];
  const sources = [] as const;
  const model = (support: Extract<Basis, { kind: 'model' }>['support']) =>
    ({ kind: 'model', sources, support }) as const;

  const quotes = (tier: 'answer' | 'maybe', ...scores: readonly number[]) =>
    ({ kind: 'quotes', sources, tier, lead: null, scores }) as const;

  test.each<readonly [string, Basis, string]>([
    ['high for what skills and small talk say', { kind: 'reply' }, 'high'],
    ['by the weakest answered question for quotes', quotes('answer', 0.85, 0.6), 'medium'],
    ['high if all quotes are from good passages', quotes('answer', 0.85), 'high'],
    ['low for a section that may be the answer', quotes('maybe', 0.85), 'low'],
    ['high if the model names what supports its text', model('cited'), 'high'],
    ['by the best score if it does not', model('uncited'), 'high'],
    ['medium if sentences were left out', model('trimmed'), 'medium'],
    ['low if nothing supports the text', model('none'), 'low'],
    ['low after a fallback', { kind: 'fallback', sources }, 'low'],
    ['low if nothing was written', { kind: 'nothing' }, 'low'],
  ])('%s', (_, basis, confidence) => {
    expect(conclude(parts, basis)).toMatchObject({ confidence, score: 0.85 });
  });

  test('the tier of quotes with the probability of the weakest answered question', () => {
    expect(conclude(parts, quotes('maybe', 0.35, 0.3))).toMatchObject({ tier: 'maybe', probability: 0.3 });
    expect(conclude(parts, model('cited'))).toMatchObject({ tier: 'answer', probability: null });
    expect(conclude(parts, model('none')).tier).toBe('none');
    expect(conclude(parts, { kind: 'fallback', sources })).toMatchObject({ tier: 'none', probability: 0.85 });
  });

  test('medium for a text of a model from passages that score too low to be quoted', () => {
    expect(conclude([found('a', 0.1)], model('uncited')).confidence).toBe('medium');
  });
});

const recordOf = (
  parts: readonly FoundPart[],
  decision: Decision,
  basis: Basis,
  correction: Correction | null,
) => toDecisionRecord({ asked, parts, decision }, { basis, model: null }, { correction, audience: [] });

test('a record is bounded, whatever was asked and found', () => {
  const long = 'How long do parcels take, and why? '.repeat(100);
  const parts = Array.from({ length: 5 }, () => found(long, ...Array.from({ length: 20 }, () => 0.9)));
  const decision = decide({ question, asked, parts, hasWriter: false });
  const record = recordOf(parts, decision, { kind: 'nothing' }, null);
  expect(JSON.stringify(record).length).toBeLessThan(8_000);
  expect(record).toMatchObject({ understood: 'questions', act: 'quote', confidence: 'low' });
  expect(record.passages).toHaveLength(5);
});

describe('a record tells of the correction of a workspace', () => {
  const correction = { slope: 1.2, offset: -0.5 };
  const shown = 0.62;
  const parts = [found('a', correctProbability(shown, correction))];
  const decision = decide({ question, asked, parts, hasWriter: false });
  const quotes = { kind: 'quotes', sources: [], tier: 'answer', lead: null } as const;
  const scores = parts.map(({ found: { ranked } }) => ranked[0]?.score ?? 0);

  test('with the probability before it', () => {
    const record = recordOf(parts, decision, { ...quotes, scores }, correction);
    expect(record.correction).toEqual({ ...correction, probability: shown });
  });

  test('with none if the answer has no probability', () => {
    const model = { kind: 'model', sources: [], support: 'cited' } as const;
    const record = recordOf(parts, decision, model, correction);
    expect(record.correction).toEqual({ ...correction, probability: null });
  });

  test('not if none is in use, or nothing was searched', () => {
    expect(recordOf(parts, decision, { ...quotes, scores }, null)).not.toHaveProperty('correction');
    expect(recordOf([], decision, { kind: 'reply' }, correction)).not.toHaveProperty('correction');
  });
});
