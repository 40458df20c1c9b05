import { describe, expect, test } from 'vitest';
import { checkGapSlice } from '../../../../../../core/evaluation/gaps/check-gap.ts';
import { sortQuestions } from '../../../../../../core/evaluation/gaps/sort-questions.ts';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { indexWaiting, runTrial } from '../../../../../helpers/servers/questions/run-trial.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'gaps and curated answers in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { runtime } = board;
    const database = runtime.database.kysely;
    const { signal } = new AbortController();
    const shop = await board.makeWorkspace({ name: 'Shop' });
    await board.addDocument(shop.id, '# Returns\n\nYou can return a box within 30 days of delivery.');
    const signIn = (role: 'owner' | 'viewer') =>
      signInPerson(board, { email: `${role}@shop.example`, role, ownerId: shop.owner });
    const owner = await signIn('owner');
    const viewer = await signIn('viewer');
    const ask = async (query: string) => (await board.query(shop.key, { query })).json();
    const question = 'Can I pay for my order by invoice?';

    test('a question without an answer becomes a gap, a draft from a reply, a change set that is tried and published, and is answered', async () => {
      const { tier, conversation_id: conversation } = await ask(question);
      await ask('Is it possible to pay my order by invoice?');
      expect(tier).toBe('none');
      await board.operate('POST', `/workspaces/${shop.id}/conversations/${conversation}/reply`, {
        content: 'Hello, you can pay by invoice from your second order on.',
        author_email: 'ben@shop.example',
      });
      const { page, own, complaints } = await board.visit(`/w/${shop.id}/knowledge/gaps`, {
        cookie: owner.cookie,
      });
      await page.getByText('2 questions are being sorted').waitFor();
      await sortQuestions(runtime, { workspaceId: shop.id, signal });
      const card = page.getByRole('listitem', { name: /invoice/ });
      await card.getByText('2 questions').waitFor();
      await card.getByText('1 agent’s reply to draw on').waitFor();
      expect(await findFaults(page, { name: 'the gaps' })).toEqual([]);

      await card.getByRole('link', { name: /^Write an answer/ }).click();
      const editor = page.getByRole('dialog');
      await editor.getByText('Names, addresses and secrets are masked').waitFor();
      const text = editor.getByRole('textbox', { name: 'Answer', exact: true });
      expect(await text.inputValue()).toBe('You can pay by invoice from your second order on.');
      await editor.getByRole('link', { name: 'Open the conversation' }).waitFor();
      await editor.getByRole('button', { name: 'Try', exact: true }).click();
      const trial = editor.getByRole('region', { name: 'Try it' });
      await trial.getByText('from your second order on').waitFor();
      expect(await findFaults(page, { name: 'the editor' })).toEqual([]);
      const tested = [{ question: 'Is it possible to pay my order by invoice?', accepted: ['second order'] }];
      await board.operate('POST', `/workspaces/${shop.id}/test-questions`, { questions: tested });
      await editor.getByRole('button', { name: 'Stage' }).dblclick();

      await page.getByRole('article', { name: question }).getByText('Being read for the trial').waitFor();
      await indexWaiting(runtime);
      await page.getByText('Being read for the trial').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Run the questions' }).dblclick();
      await page.getByText('0 of 1 asked').waitFor();
      const { id: run } = await database.selectFrom('test_run').select('id').executeTakeFirstOrThrow();
      await runTrial(runtime, run);
      const changed = page.getByRole('article', { name: 'Is it possible to pay my order by invoice?' });
      await changed.getByText('Better', { exact: true }).first().waitFor();
      await page.getByText('Green', { exact: true }).waitFor();
      expect(await findFaults(page, { name: 'the change set' })).toEqual([]);
      expect(await ask(question)).toMatchObject({ tier: 'none' });
      await page.getByRole('button', { name: 'Publish' }).dblclick();
      await page.getByText('Published by').waitFor();
      await indexWaiting(runtime);

      const gap = await database.selectFrom('gap').select(['id', 'state']).executeTakeFirstOrThrow();
      expect(gap.state).toBe('planned');
      await page.goto(`${new URL(page.url()).origin}/dashboard/w/${shop.id}/knowledge/gaps?gap=${gap.id}`);
      const written = page.getByRole('listitem', { name: /invoice/ });
      await written.getByRole('button', { name: 'Ask again' }).click();
      await written.getByText('Asking again: 0 of 2').waitFor();
      while ((await checkGapSlice(runtime, { workspaceId: shop.id, gapId: gap.id, signal })) !== null);
      await written.getByText('2 of 2 answered now').waitFor();
      expect(await ask(question)).toMatchObject({
        tier: 'answer',
        answer: expect.stringContaining('second order'),
      });

      await page.getByRole('link', { name: 'Curated' }).click();
      await page.getByRole('link', { name: /invoice/ }).waitFor();
      expect(await findFaults(page, { name: 'the curated answers' })).toEqual([]);
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a person who may only read opens an answer and changes nothing', async () => {
      const { page, own } = await board.visit(`/w/${shop.id}/knowledge/curated`, { cookie: viewer.cookie });
      await page.getByText('You can read the answers').waitFor();
      expect(await page.getByRole('button', { name: 'New answer' }).count()).toBe(0);
      await page.getByRole('link', { name: /invoice/ }).click();
      const editor = page.getByRole('dialog');
      await editor.getByRole('textbox', { name: 'Answer', exact: true }).waitFor();
      expect(await editor.getByRole('button', { name: 'Save' }).count()).toBe(0);
      await own.close();
    });

    test('a file with a fault names the row and stores nothing', async () => {
      const { page, own } = await board.visit(`/w/${shop.id}/knowledge/curated`, { cookie: owner.cookie });
      const chosen = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Import CSV' }).click();
      const buffer = Buffer.from('question,answer\nDo you sell ladders?,No.\nDo you sell socks?,\n');
      await (await chosen).setFiles({ name: 'answers.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('dialog').getByText('Row 3').waitFor();
      await page.getByText('The answer is missing.').waitFor();
      expect(await database.selectFrom('curated_answer').select('id').execute()).toHaveLength(1);
      await own.close();
    });
  },
);
