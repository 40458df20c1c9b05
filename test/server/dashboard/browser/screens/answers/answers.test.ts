import { describe, expect, test } from 'vitest';
import { ingestDocument } from '../../../../../../core/knowledge/indexing/ingest-document.ts';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { indexWaiting, runTrial } from '../../../../../helpers/servers/questions/run-trial.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'the answers in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { runtime } = board;
    const database = runtime.database.kysely;
    const shop = await board.makeWorkspace({ name: 'Shop' });
    const add = async (content: string) => {
      const added = await runtime.documents.add({ workspaceId: shop.id, bytes: Buffer.from(content) });
      await ingestDocument({ ...runtime, database }, added.id);
    };
    await add('# Returns\n\nYou can return a box within 30 days of delivery.');
    const ask = async (query: string) => (await board.query(shop.key, { query })).json();
    const right = await ask('Within how many days can I return a box?');
    await ask('Who painted the Night Watch?');
    const signIn = (role: 'owner' | 'viewer') =>
      signInPerson(board, { email: `${role}@shop.example`, role, ownerId: shop.owner });
    const owner = await signIn('owner');
    const path = `/w/${shop.id}/answers`;
    const verdicts = () =>
      database.selectFrom('answer_review').select(['message_id', 'verdict']).orderBy('verdict').execute();

    test('an owner filters the log and judges by the keyboard alone', async () => {
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      const table = page.getByRole('table', { name: 'Answers' });
      await table.getByText('Who painted the Night Watch?').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('3');
      await table.getByText('Not ours').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('1');
      await table.getByText('Right').waitFor();
      expect((await verdicts()).map(({ verdict }) => verdict)).toEqual(['not_ours', 'right']);
      expect(await findFaults(page, { name: 'the log' })).toEqual([]);
      await page.getByRole('button', { name: 'To review' }).click();
      await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await table.getByText('Who painted the Night Watch?').waitFor();
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a wrong answer is found in the log, explained, fixed with a curated answer, and proven', async () => {
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      const question = 'Within how many days can I return a box?';
      await page.getByRole('link', { name: /return a box/ }).click();
      await page.getByRole('heading', { name: 'Within how many days can I return a box?' }).waitFor();
      await page.getByRole('region', { name: 'Time' }).getByText('Searching').waitFor();
      await page.getByRole('region', { name: 'Passages' }).getByText('Used').waitFor();
      await page.getByRole('region', { name: 'Settings then' }).getByText('Same as now').waitFor();
      expect(await findFaults(page, { name: 'one answer' })).toEqual([]);
      await page.keyboard.press('k');
      await page.getByRole('heading', { name: 'Who painted the Night Watch?' }).waitFor();
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: question }).waitFor();
      const address = page.url();
      await page.keyboard.press('f');
      const fix = page.getByRole('region', { name: 'Fix this answer' });
      await fix.getByRole('link', { name: 'Open Returns' }).waitFor();
      await fix.getByRole('button', { name: 'Wrong' }).click();
      await fix.getByRole('textbox', { name: 'Should have said' }).fill('Within 90 days of delivery.');
      await fix.getByRole('button', { name: 'Save as expected' }).click();
      await fix.getByText('Stored with what should have been said').waitFor();
      expect(await findFaults(page, { name: 'the doors' })).toEqual([]);
      await fix.getByRole('link', { name: 'Write a curated answer' }).click();
      const editor = page.getByRole('dialog');
      expect(await editor.getByRole('textbox', { name: 'Question', exact: true }).first().inputValue()).toBe(
        question,
      );
      const text = editor.getByRole('textbox', { name: 'Answer', exact: true });
      await text.fill('You can return a box within 90 days of delivery.');
      await editor.getByRole('button', { name: 'Save' }).dblclick();
      await editor.waitFor({ state: 'detached' });
      await indexWaiting(runtime);
      await page.goto(address);
      await page.getByRole('region', { name: 'Passages' }).waitFor();
      await page.keyboard.press('r');
      const replay = page.getByRole('region', { name: 'Replay' });
      await replay.getByRole('region', { name: 'Today' }).getByText('90 days').waitFor();
      await replay.getByRole('row', { name: /return a box\? not found place 1/ }).waitFor();
      expect(await findFaults(page, { name: 'the replay' })).toEqual([]);
      await board.operate('POST', `/workspaces/${shop.id}/test-runs`);
      const run = await database.selectFrom('test_run').select('id').executeTakeFirstOrThrow();
      await runTrial(runtime, run.id);
      const proven = await database
        .selectFrom('test_question')
        .select(['question', 'last_outcome'])
        .execute();
      expect([proven, complaints]).toEqual([[{ question, last_outcome: 'right' }], []]);
      await own.close();
    });

    test('the command menu opens an answer by its query_id; a person who may only read judges nothing', async () => {
      const viewer = await signIn('viewer');
      const { page, own } = await board.visit(path, { cookie: viewer.cookie });
      await page.getByText('Who painted the Night Watch?').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Go to, switch or do…').fill(right.query_id);
      await page.getByRole('button', { name: `Answers, ${right.query_id}` }).click();
      await page.getByRole('heading', { name: 'Within how many days can I return a box?' }).waitFor();
      await page.getByRole('region', { name: 'Passages' }).waitFor();
      expect(await page.getByRole('button', { name: 'Wrong' }).count()).toBe(0);
      await own.close();
    });
  },
);
