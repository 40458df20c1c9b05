import { describe, expect, test } from 'vitest';
import type { Change } from '../../../core/changes/change-item.ts';
import type { ChangeSet } from '../../../core/changes/change-set.ts';
import { viewItems } from '../../../core/changes/item-views.ts';
import { operatorActor } from '../../../core/contract/actor.ts';
import { CuratedAnswers } from '../../../core/knowledge/curated/curated-answers.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { ChangeDesk } from '../../helpers/stores/knowledge/change-desk.ts';

const actor = operatorActor;
const invoice = {
  question: 'Can I pay by invoice?',
  phrasings: ['Do you send invoices?'],
  action: 'answer',
  answer: 'Yes, from your second order on.',
  audience: [],
} as const;
const fields = { ...invoice, phrasings: [...invoice.phrasings], audience: [], valid_until: null };

describe.each(testEngines)('staged curated answers on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const desk = new ChangeDesk(database);
  const answers = new CuratedAnswers(desk.stores);

  /** A shop with one curated answer, and what it says to a question. */
  async function openShop() {
    const workspaceId = await desk.base.workspace();
    await desk.base.add(workspaceId, 'The shop opens at nine.', { title: 'Hours' });
    const { id } = await answers.create({ workspaceId, actor }, { ...invoice, validUntil: null });
    await desk.index();
    const say = async (question: string, set: ChangeSet | null = null) => {
      const trial = set === null ? null : await desk.openTrial(set);
      return (await desk.ask(workspaceId, question, trial)).answer.text;
    };
    return { workspaceId, id, say, stage: (...changes: Change[]) => desk.stage(workspaceId, changes) };
  }

  test('are what a trial answers, are live once published, and are gone or back after an undo', async () => {
    const { workspaceId, id, say, stage } = await openShop();
    const parking = { ...fields, question: 'Where can I park?', phrasings: [], answer: 'Behind the mill.' };
    const set = await stage(
      { kind: 'curated_written', answer_id: id, ...fields, answer: 'Yes, from your third order on.' },
      { kind: 'curated_written', answer_id: null, ...parking },
    );
    const before = [await say('Do you send invoices?'), await say('Where can I park?')];
    expect(before).toEqual([expect.stringContaining('second order'), expect.not.stringContaining('mill')]);
    expect(await say('Do you send invoices?', set)).toContain('third order');
    expect(await say('Where can I park?', set)).toContain('Behind the mill.');
    expect([await say('Do you send invoices?'), await say('Where can I park?')]).toEqual(before);
    expect((await answers.list(workspaceId, { limit: 9 })).total).toBe(1);

    await desk.publish(set);
    expect(await say('Do you send invoices?')).toContain('third order');
    expect(await say('Where can I park?')).toContain('Behind the mill.');
    expect(await answers.get(workspaceId, id)).toMatchObject({ changedBy: 'operator', isIndexed: true });

    await desk.undo(set);
    expect([await say('Do you send invoices?'), await say('Where can I park?')]).toEqual(before);
    expect((await answers.all(workspaceId)).map((answer) => [answer.id, answer.phrasings])).toEqual([
      [id, ['Do you send invoices?']],
    ]);
  });

  test('a staged removal is tried, published and taken back under the same id', async () => {
    const { workspaceId, id, say, stage } = await openShop();
    const set = await stage({ kind: 'curated_removed', answer_id: id });
    expect(await say('Can I pay by invoice?', set)).not.toContain('second order');
    expect(await say('Can I pay by invoice?')).toContain('second order');
    await desk.publish(set);
    expect(await say('Can I pay by invoice?')).not.toContain('second order');
    await expect(answers.get(workspaceId, id)).rejects.toMatchObject({ code: 'curated_answer_not_found' });
    await desk.undo(set);
    expect(await say('Can I pay by invoice?')).toContain('second order');
    expect(await answers.get(workspaceId, id)).toMatchObject({ ...invoice, status: 'indexed' });
  });

  test('one without text withholds the answer in a trial, and one past its date is not found in it', async () => {
    const { id, say, stage } = await openShop();
    const withheld = await stage({
      ...{ kind: 'curated_written', answer_id: id, ...fields, action: 'unknown', answer: null },
    });
    expect(await say('Can I pay by invoice?', withheld)).not.toContain('second order');
    const over = { ...fields, valid_until: '2020-01-01T00:00:00Z' };
    const ended = await stage({ kind: 'curated_written', answer_id: id, ...over });
    expect(await say('Can I pay by invoice?', ended)).not.toContain('second order');
    expect(await say('Can I pay by invoice?')).toContain('second order');
  });

  test('are shown as the lines and fields that differ, also after publishing', async () => {
    const { workspaceId, id, stage } = await openShop();
    const set = await stage({
      ...{ kind: 'curated_written', answer_id: id, ...fields },
      ...{ phrasings: [], action: 'person', answer: null },
    });
    const view = async () => {
      const current = await desk.sets.get(workspaceId, set.id);
      return (await viewItems(database.kysely, current, await desk.items(current)))[0];
    };
    const shown = {
      name: invoice.question,
      lines: expect.arrayContaining([
        { kind: 'same', text: 'Can I pay by invoice?' },
        { kind: 'removed', text: 'Do you send invoices?' },
        { kind: 'removed', text: invoice.answer },
      ]),
      settings: [{ name: 'action', before: 'answer', after: 'person' }],
    };
    expect(await view()).toMatchObject({ ...shown, status: 'indexed' });
    await desk.publish(set);
    expect(await view()).toMatchObject(shown);
  });

  test('409: one that was changed meanwhile is named, nothing is published, and can be taken over again', async () => {
    const { workspaceId, id, say, stage } = await openShop();
    const set = await stage(
      { kind: 'settings', settings: { strictness: 'fallback' } },
      { kind: 'curated_written', answer_id: id, ...fields, answer: 'Yes, always.' },
    );
    await answers.change({ workspaceId, actor, id }, { validUntil: new Date('2099-01-01') });
    await expect(desk.publish(set)).rejects.toMatchObject({
      ...{ code: 'change_set_conflict', message: `Changed meanwhile: ${invoice.question}.` },
    });
    expect((await desk.stores.workspaces.get(workspaceId)).settings.strictness).toBeUndefined();
    await desk.sets.takeOver({ workspaceId, id: set.id, actor });
    await desk.index();
    const published = await desk.publish(set);
    expect(await say('Can I pay by invoice?')).toContain('Yes, always.');
    await answers.change({ workspaceId, actor, id }, { answer: 'No.' });
    await expect(desk.undo(published)).rejects.toThrow(`Changed meanwhile: ${invoice.question}.`);
  });

  test('409: a question that has an answer by now is named, also when a removed one comes back', async () => {
    const { workspaceId, id, stage } = await openShop();
    const parking = { ...fields, question: 'Where can I park?', answer: 'Behind the mill.' };
    const set = await stage({ kind: 'curated_written', answer_id: null, ...parking });
    await answers.create({ workspaceId, actor }, { ...parking, validUntil: null });
    await expect(desk.publish(set)).rejects.toThrow('Changed meanwhile: Where can I park?.');
    const removal = await stage({ kind: 'curated_removed', answer_id: id });
    await desk.publish(removal);
    await answers.create({ workspaceId, actor }, { ...invoice, validUntil: null });
    await expect(desk.undo(removal)).rejects.toThrow('Another answer was written meanwhile');
  });

  test('400, 404 and 409: nothing is staged that could not be saved either', async () => {
    const { workspaceId, id, stage } = await openShop();
    const other = await openShop();
    const code = (change: Change) => stage(change).then(undefined, (error) => error.code);
    expect(await code({ kind: 'curated_written', answer_id: null, ...fields })).toBe('curated_answer_exists');
    expect(
      await code({ kind: 'curated_written', answer_id: null, ...fields, question: 'Why?', answer: null }),
    ).toBe('curated_answer_without_text');
    expect(await code({ kind: 'curated_removed', answer_id: other.id })).toBe('curated_answer_not_found');
    expect(await code({ kind: 'document_content', document_id: id, content: 'x' })).toBe('curated_document');
    expect((await answers.list(workspaceId, { limit: 9 })).total).toBe(1);
  });
});
