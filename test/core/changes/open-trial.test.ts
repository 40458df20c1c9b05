import { describe, expect, test } from 'vitest';
import type { Rehearsal } from '../../../core/answering/rehearsal.ts';
import { operatorActor } from '../../../core/contract/actor.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { ChangeDesk } from '../../helpers/stores/knowledge/change-desk.ts';

/** Everything of an answer but the ids of passages, which are made anew when a document is published. */
const seen = ({ answer, passages }: Rehearsal) => ({
  ...{ text: answer.text, tier: answer.tier, confidence: answer.confidence },
  probability: answer.probability?.toFixed(6),
  sources: answer.sources.map(({ title, chunk, score }) => ({ title, chunk, score })),
  passages: passages.map(({ body, score }) => ({ body, score: score.toFixed(6) })),
});

/** The order of passages with equal scores, and of the titles that a fallback names, follows the last change of documents. */
const withoutOrder = (answers: readonly ReturnType<typeof seen>[]) =>
  answers.map(({ passages, text, ...rest }) => ({
    ...rest,
    text: text.split('You can ask me')[0],
    passages: passages.map(({ body, score }) => `${score} ${body}`).toSorted(),
  }));

const questions = [
  'When is the repair counter open?',
  'Is the repair counter open on Saturday?',
  'Where do I collect parcels?',
  'How long is the guarantee of a pump?',
  'Do you rent ladders by the day?',
  'How much is delivery to Germany?',
];

describe.each(testEngines)('a trial of a change set on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const desk = new ChangeDesk(database);

  async function openShop() {
    const workspace = await desk.base.workspace();
    const add = (title: string, text: string) =>
      desk.base.add(workspace, `# ${title}\n\n${text}`, { title, url: `https://shop.example/${title}` });
    const repairs = await add('Repairs', 'The repair counter is open on Tuesdays from 10 to 4.');
    const parcels = await add('Parcels', 'You collect parcels at the mill. Parcels wait for a week.');
    await add('Guarantee', 'The guarantee of a pump is two years. A repair does not end the guarantee.');
    await add('Delivery', 'Delivery to Germany is 12 euros. Delivery to France is 14 euros.');
    return { workspace, repairs, parcels };
  }

  async function stageAll({ workspace, repairs, parcels }: Awaited<ReturnType<typeof openShop>>) {
    return desk.stage(workspace, [
      {
        kind: 'document_content',
        document_id: repairs,
        content:
          '# Repairs\n\nThe repair counter is open on Tuesdays and on the first Saturday from 10 to 1.',
      },
      { kind: 'document_removed', document_id: parcels },
      {
        ...{ kind: 'document_new', title: 'Ladders', audience: [] },
        content: 'We rent ladders by the day. A ladder is 8 euros a day. zyxwv',
      },
      { kind: 'settings', settings: { answer_from: 0.4, maybe_from: 0.2, fallback_message: 'Ask Ben.' } },
    ]);
  }

  test('answers each question as the workspace does after publishing, and again as before after an undo', async () => {
    const shop = await openShop();
    const { workspace } = shop;
    const before = [];
    for (const question of questions) before.push(seen(await desk.ask(workspace, question)));
    const set = await stageAll(shop);
    const trial = await desk.openTrial(set);
    const tried = [];
    for (const question of questions) tried.push(seen(await desk.ask(workspace, question, trial)));
    expect(tried).not.toEqual(before);
    await desk.publish(set);
    const after = [];
    for (const question of questions) after.push(seen(await desk.ask(workspace, question)));
    expect(after).toEqual(tried);
    await desk.undo(set);
    const undone = [];
    for (const question of questions) undone.push(seen(await desk.ask(workspace, question)));
    expect(withoutOrder(undone)).toEqual(withoutOrder(before));
  });

  test('a staged document is in no search, list or count of the live workspace, and changes no score', async () => {
    const shop = await openShop();
    const { workspace } = shop;
    const whole = async () => ({
      answers: await Promise.all(
        questions.map(async (question) => seen(await desk.ask(workspace, question))),
      ),
      found: (await desk.base.search(workspace, 'zyxwv ladders first Saturday')).map(({ body, score }) => ({
        body,
        score,
      })),
      listed: (await desk.base.documents.list(workspace, { limit: 100 })).items.map(({ title }) => title),
      counts: await desk.base.documents.count(workspace),
      workspaces: (await desk.stores.workspaces.list({ limit: 100 })).items.map(({ id }) => id),
    });
    const before = await whole();
    const set = await stageAll(shop);
    expect(await whole()).toEqual(before);
    expect(JSON.stringify(before)).not.toContain('zyxwv');
    const stagingId = set.stagingId ?? '';
    expect(await desk.stores.workspaces.find(stagingId)).toBeNull();
    expect((await desk.base.search(stagingId, 'zyxwv')).length).toBeGreaterThan(0);
  });

  test('a document that is staged again or taken out is not tried any more', async () => {
    const { workspace } = await openShop();
    const url = 'https://shop.example/ladders';
    const fields = { kind: 'document_new', title: 'Ladders', url } as const;
    const set = await desk.stage(workspace, [
      { ...fields, audience: [], content: 'A ladder is 8 euros a day.' },
      { ...fields, audience: [], content: 'A ladder is 9 euros a day.' },
    ]);
    const ask = async () => {
      const trial = await desk.openTrial(await desk.sets.get(workspace, set.id));
      return seen(await desk.ask(workspace, 'How much is a ladder a day?', trial)).passages.map(
        ({ body }) => body,
      );
    };
    expect((await ask()).filter((body) => body.includes('ladder'))).toEqual(['A ladder is 9 euros a day.']);
    const [item] = await desk.items(set);
    await desk.sets.remove({ workspaceId: workspace, id: set.id, actor: operatorActor }, item?.id ?? '');
    expect((await ask()).filter((body) => body.includes('ladder'))).toEqual([]);
  });

  test('is refused while a document is not indexed', async () => {
    const { workspace } = await openShop();
    const set = await desk.sets.create(workspace, {
      ...{ name: 'Ladders', actor: operatorActor },
      change: { kind: 'document_new', title: 'Ladders', content: 'A ladder.', audience: [] },
    });
    await expect(desk.openTrial(set)).rejects.toThrow('Ladders is being indexed');
    await desk.index();
    expect(await desk.openTrial(set)).toBeDefined();
  });
});
