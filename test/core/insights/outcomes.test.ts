import { describe, expect, test } from 'vitest';
import { type Happening, judgeConversation, outcomes, RETURN_MS } from '../../../core/insights/outcomes.ts';
import { type Dice, throwDice } from '../../helpers/day/dice.ts';

const hour = 3_600_000;
const start = Date.parse('2026-03-02T09:00:00Z');

type Told = Happening extends infer One ? (One extends Happening ? Omit<One, 'at'> : never) : never;

/** Happenings one minute after the other. */
const minutes = (...told: readonly Told[]): readonly Happening[] =>
  told.map((one, index) => ({ ...one, at: new Date(start + index * 60_000) }));
const asked = (
  answer: 'answer' | 'maybe' | 'none',
  opinion: 'up' | 'down' | null = null,
  words = [1, 2, 3],
): Told => ({
  ...{ kind: 'question', answer, words },
  opinion: opinion === null ? null : { value: opinion, at: new Date(start + hour) },
});
const outcomeOf = (...told: readonly Told[]) =>
  judgeConversation(minutes(...told)).map(({ outcome }) => outcome);

const handover: Told = { kind: 'handover' };
const reply: Told = { kind: 'reply' };
const resolved: Told = { kind: 'resolved' };
const message: Told = { kind: 'message' };
const thanks: Told = { kind: 'courtesy', thanks: true };
const hello: Told = { kind: 'courtesy', thanks: false };

describe('a conversation is', () => {
  test.each<readonly [string, readonly Told[], string]>([
    ['assumed to be solved after an answer and silence', [asked('answer')], 'assumed'],
    ['confirmed by a thumb', [asked('answer', 'up')], 'confirmed'],
    ['confirmed by thanks', [asked('answer'), thanks], 'confirmed'],
    ['not confirmed by thanks before the last question', [thanks, asked('answer')], 'assumed'],
    ['unanswered without an answer, also with thanks', [asked('none'), thanks], 'unanswered'],
    ['unanswered after an unsure answer', [asked('maybe')], 'unanswered'],
    ['confirmed if an unsure answer helped', [asked('maybe', 'up')], 'confirmed'],
    ['unanswered if the last message got nothing', [asked('answer'), message], 'unanswered'],
    ['left after a thumb down', [asked('answer', 'down')], 'left'],
    ['left if the answered question was asked again', [asked('answer'), asked('answer')], 'left'],
    ['assumed after another question', [asked('answer'), asked('answer', null, [7, 8])], 'assumed'],
    ['assumed if the question had no answer before', [asked('none'), asked('answer')], 'assumed'],
    ['left if nobody came', [asked('none'), handover], 'left'],
    ['left if people gave it back silently', [handover, { kind: 'returned' }], 'left'],
    ['judged by the next answer after that', [handover, { kind: 'returned' }, asked('answer')], 'assumed'],
    ['left if nobody came, though the engine went on', [handover, asked('answer')], 'left'],
    ['handed over if a person replied', [asked('none'), handover, reply], 'handed_over'],
    ['handed over if a person resolved it silently', [handover, resolved], 'handed_over'],
    ['left if the visitor waits for a second reply', [handover, reply, message], 'left'],
    ['judged by the answer after the resolution', [handover, reply, resolved, asked('answer')], 'assumed'],
    ['not solved by a person who files it away', [asked('answer'), resolved], 'assumed'],
  ])('%s', (_, told, outcome) => {
    expect(outcomeOf(...told)).toEqual([outcome]);
  });

  test('not counted if nothing was asked', () => {
    expect([outcomeOf(hello, thanks), outcomeOf(), outcomeOf(resolved)]).toEqual([[], [], []]);
  });
});

describe('a conversation settles', () => {
  const settled = (...told: readonly Told[]) => {
    const [episode] = judgeConversation(minutes(...told));
    return episode === undefined ? null : (episode.settlesAt.getTime() - episode.endedAt.getTime()) / hour;
  };

  test('after a quiet day, at once when a person resolves it, and after a week of waiting for one', () => {
    expect(settled(asked('answer'))).toBe(24);
    expect(settled(handover, reply)).toBe(24);
    expect(settled(handover, reply, resolved)).toBe(0);
    expect(settled(handover)).toBe(168);
  });

  test('with the times of people, counted from the handover', () => {
    const [episode] = judgeConversation(minutes(asked('none'), handover, message, reply, resolved));
    const minute = (at: Date | null | undefined) => at && (at.getTime() - start) / 60_000;
    expect([minute(episode?.handedAt), minute(episode?.repliedAt), minute(episode?.solvedAt)]).toEqual([
      1, 3, 4,
    ]);
  });

  test('without an opinion that came more than a week later', () => {
    const late = { value: 'down', at: new Date(start + RETURN_MS + hour) } as const;
    const [happening] = minutes(asked('answer'));
    if (happening?.kind !== 'question') throw new TypeError('no question');
    expect(judgeConversation([{ ...happening, opinion: late }])[0]?.outcome).toBe('assumed');
  });
});

describe('10,000 random conversations', () => {
  const dice = throwDice(51);
  const conversations = Array.from({ length: 10_000 }, () => randomConversation(dice));

  test('have exactly one outcome for each episode in which something was asked, and they add up', () => {
    const episodes = conversations.flatMap((happenings) => judgeConversation(happenings));
    const sum = outcomes.reduce(
      (total, name) => total + episodes.filter(({ outcome }) => outcome === name).length,
      0,
    );
    expect(sum).toBe(episodes.length);
    expect(outcomes.every((name) => episodes.some(({ outcome }) => outcome === name))).toBe(true);
    const wrong = conversations.filter((happenings) => {
      const isAsked = happenings.some(({ kind }) => kind === 'question' || kind === 'handover');
      return isAsked && span(happenings) <= RETURN_MS && judgeConversation(happenings).length !== 1;
    });
    expect(wrong).toEqual([]);
  });

  test('move by a return within seven days, and stay as they are after a later one', () => {
    for (const happenings of conversations.slice(0, 500)) {
      const before = judgeConversation(happenings);
      const end = happenings.at(-1)?.at.getTime() ?? 0;
      const back = (pause: number): Happening => ({
        ...{ kind: 'question', answer: 'none', opinion: null, words: [99] },
        at: new Date(end + pause),
      });
      const [soon, late] = [back(RETURN_MS), back(RETURN_MS + 1)];
      const moved = judgeConversation([...happenings, soon]);
      expect(moved.filter(({ endedAt }) => endedAt.getTime() === end)).toEqual([]);
      expect(moved.at(-1)?.endedAt).toEqual(soon.at);
      expect(judgeConversation([...happenings, late]).slice(0, -1)).toEqual(before);
    }
  });
});

function span(happenings: readonly Happening[]): number {
  return (happenings.at(-1)?.at.getTime() ?? 0) - (happenings[0]?.at.getTime() ?? 0);
}

function randomConversation(dice: Dice): readonly Happening[] {
  let at = start;
  return Array.from({ length: 1 + dice.below(8) }, () => {
    at += dice.pick([60_000, hour, 30 * hour, dice.below(12) === 0 ? 8 * 24 * hour : 60_000]);
    return { ...randomHappening(dice, at), at: new Date(at) };
  });
}

function randomHappening(dice: Dice, at: number): Told {
  switch (dice.below(10)) {
    case 0:
      return { kind: 'courtesy', thanks: dice.below(2) === 0 };
    case 1:
      return dice.pick([handover, { kind: 'taken' }]);
    case 2:
      return reply;
    case 3:
      return dice.pick([resolved, { kind: 'returned' }]);
    case 4:
      return message;
    default: {
      const value = dice.pick(['up', 'down', null, null] as const);
      return {
        ...{ kind: 'question', answer: dice.pick(['answer', 'answer', 'maybe', 'none'] as const) },
        ...{ words: [dice.below(5), dice.below(5)] },
        opinion: value && { value, at: new Date(at + dice.below(9) * 24 * hour) },
      };
    }
  }
}
