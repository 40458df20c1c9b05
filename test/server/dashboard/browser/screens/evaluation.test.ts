import { describe, expect, test } from 'vitest';
import { connectors } from '../../../../../connectors/registry.ts';
import { runTestSlice } from '../../../../../core/evaluation/run-slice.ts';
import { ingestDocument } from '../../../../../core/knowledge/indexing/ingest-document.ts';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'questions on trial in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard({}, { connectors });
    const { runtime } = board;
    const database = runtime.database.kysely;
    const shop = await board.makeWorkspace({ name: 'Shop' });
    const added = await runtime.documents.add({
      ...{ workspaceId: shop.id, title: 'Help' },
      bytes: Buffer.from(
        '# Help\n\n## Returns\n\nYou can return a box within 30 days of delivery.\n\n## Hours\n\nThe shop opens at nine.',
      ),
    });
    await ingestDocument({ ...runtime, database }, added.id);
    const signIn = (role: 'owner' | 'viewer') =>
      signInPerson(board, { email: `${role}@shop.example`, role, ownerId: shop.owner });
    const owner = await signIn('owner');
    const viewer = await signIn('viewer');
    const path = `/w/${shop.id}/knowledge/evaluation`;
    const mailbox = { host: 'mail.shop.example', secure: true, user: 'help@shop.example', pass: 'none' };
    await board.operate('POST', `/workspaces/${shop.id}/channels`, {
      ...{ channel: 'email', name: 'Shop mail' },
      credentials: { imap: { ...mailbox, port: 993 }, smtp: { ...mailbox, port: 465 } },
      settings: { verify: false, from: 'help@shop.example', name: 'Shop' },
    });

    test('an owner asks by the keyboard, sees why, and marks the answer right and another one wrong', async () => {
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('heading', { name: 'No test question yet' }).waitFor();
      await page.keyboard.press('q');
      const panel = page.getByRole('dialog');
      const field = panel.getByRole('textbox', { name: 'Question' });
      const answer = panel.getByRole('region', { name: 'Answer', exact: true });
      await panel.getByRole('combobox', { name: 'Shown in' }).click();
      await page.getByRole('option', { name: 'Shop mail' }).click();
      await field.fill('Within how many days can I return a box?');
      await field.press('Enter');
      const mail = answer.getByRole('list', { name: 'As Shop mail shows it' });
      await mail.getByText('Re: Question').waitFor();
      await mail.getByText('within 30 days of delivery').waitFor();
      expect(await findFaults(page, { name: 'an answer as a channel shows it' })).toEqual([]);
      await panel.getByRole('combobox', { name: 'Shown in' }).click();
      await page.getByRole('option', { name: 'No channel' }).click();
      await field.press('Enter');
      await mail.waitFor({ state: 'detached' });
      await answer.getByText('within 30 days of delivery').waitFor();
      await answer.getByText('Because').waitFor();
      expect(await answer.getByRole('region', { name: 'Passages' }).getByRole('listitem').count()).toBe(2);
      expect(await findFaults(page, { name: 'the panel' })).toEqual([]);
      await answer.getByRole('button', { name: 'Right' }).click();
      await panel.getByText('Stored as right').waitFor();
      await field.fill('When does the shop open on Sunday?');
      await field.press('Enter');
      await answer.getByRole('button', { name: 'Wrong' }).click();
      await answer.getByRole('textbox', { name: 'Should have said' }).fill('On Sunday it opens at 11.');
      await answer.getByRole('button', { name: 'Save as expected' }).click();
      await panel.getByText('Stored with what should have been said').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Within how many days can I return a box?').waitFor();
      const conversations = await database.selectFrom('conversation').select('id').execute();
      expect([conversations, complaints]).toEqual([[], []]);
      await own.close();
    });

    test('a run shows what is right and what is not, beside what should have been said', async () => {
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByRole('button', { name: 'Cancel the run' }).waitFor();
      const run = await database.selectFrom('test_run').select('id').executeTakeFirstOrThrow();
      const signal = new AbortController().signal;
      while ((await runTestSlice(runtime, { runId: run.id, signal })) !== null);
      await page.getByRole('button', { name: 'Run all' }).waitFor();
      await page.getByRole('link', { name: 'Wrong' }).click();
      const wrong = page.getByRole('listitem').filter({ hasText: 'When does the shop open on Sunday?' });
      await wrong.getByText('When does the shop open on Sunday?').click();
      await wrong.getByText('On Sunday it opens at 11.').waitFor();
      await wrong.getByText('A number of the expected answer is missing.').waitFor();
      expect(await page.getByText('Within how many days can I return a box?').count()).toBe(0);
      expect(await findFaults(page, { name: 'the evaluation' })).toEqual([]);
      await own.close();
    });

    test('a file of questions is added, and one with a bad line is not', async () => {
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      const upload = async (...lines: readonly string[]) => {
        const chosen = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Upload a set' }).click();
        await (await chosen).setFiles({
          name: 'set.jsonl',
          mimeType: 'application/jsonl',
          buffer: Buffer.from(lines.join('\n')),
        });
      };
      const good = JSON.stringify({ question: 'Do you sell ladders?', kind: 'out-of-index' });
      await upload(good, '{"no":"question"}');
      await page.getByText('Line 2 is no question.').waitFor();
      expect(await page.getByText('Do you sell ladders?').count()).toBe(0);
      await upload(good, JSON.stringify({ message: 'open when?', answers: ['nine'] }));
      await page.getByText('2 questions added').waitFor();
      await page.getByText('Do you sell ladders?').waitFor();
      const turns = [{ message: 'Hello!' }, { message: 'open when?', answer: 'nine', tier: 'maybe' }];
      await upload(JSON.stringify({ goal: 'Greets and asks', channel: 'pigeon', turns }));
      await page.getByText('Line 1 is no question.').waitFor();
      await upload(JSON.stringify({ goal: 'Greets and asks', channel: 'telegram', turns }));
      await page.getByText('Greets and asks').click();
      await page.getByText('2 turns · on Telegram · Uploaded').waitFor();
      await own.close();
    });

    test('a scripted customer is written, run, read as a chat and mended', async () => {
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('button', { name: 'Script a customer' }).click();
      const editor = page.getByRole('region', { name: 'A scripted customer' });
      await editor.getByRole('button', { name: 'Save' }).click();
      await editor.getByText('Name the goal, write each message').waitFor();
      await editor.getByRole('textbox', { name: 'Goal' }).fill('Comes on a Sunday');
      const first = editor.getByRole('group', { name: 'Turn 1' });
      await first.getByRole('textbox', { name: 'The customer writes' }).fill('When does the shop open?');
      await first.getByRole('textbox', { name: 'Has this text' }).fill('at nine');
      await editor.getByRole('button', { name: 'Add a turn' }).click();
      const second = editor.getByRole('group', { name: 'Turn 2' });
      await second.getByRole('textbox', { name: 'The customer writes' }).fill('I want to talk to a human');
      await second.getByRole('checkbox', { name: 'Gives no answer' }).click();
      await second.getByRole('textbox', { name: 'Has this text' }).fill('on the moon');
      expect(await findFaults(page, { name: 'the editor of a script' })).toEqual([]);
      await editor.getByRole('button', { name: 'Save' }).click();
      await editor.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Scripted customers' }).click();
      const script = page.getByRole('listitem').filter({ hasText: 'Comes on a Sunday' });
      await script.getByText('Not asked yet').waitFor();
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByRole('button', { name: 'Cancel the run' }).waitFor();
      const run = await database
        .selectFrom('test_run')
        .select('id')
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow();
      const signal = new AbortController().signal;
      while ((await runTestSlice(runtime, { runId: run.id, signal })) !== null);
      await page.getByRole('button', { name: 'Run all' }).waitFor();
      await script.getByText('Comes on a Sunday').click();
      await script.getByText(/^Turn 2: /).waitFor();
      const chat = script.getByRole('list', { name: 'The conversation of the newest run' });
      await chat.getByText('The shop opens at nine.').waitFor();
      await script.getByRole('button', { name: 'Edit' }).click();
      const phrase = second.getByRole('textbox', { name: 'Has this text' });
      expect(await phrase.inputValue()).toBe('on the moon');
      await phrase.fill('');
      await second.getByRole('checkbox', { name: 'Hands over to a person' }).click();
      await editor.getByRole('button', { name: 'Save' }).click();
      await script.getByText('Not asked yet').waitFor();
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a person decides about questions of visitors by the keyboard, and only these become test questions', async () => {
      // A test question about the same would leave a proposal out.
      await database.deleteFrom('test_question').where('workspace_id', '=', shop.id).execute();
      const ask = (text: string) => board.query(shop.key, { query: text });
      await ask('Is a return of a box possible after three weeks?');
      await ask('Do you repair bicycles made of wood?');
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('button', { name: 'From real questions' }).click();
      const proposals = page.getByRole('region', { name: 'From real questions' });
      await proposals.getByText('0 of 2 decided').waitFor();
      expect(await findFaults(page, { name: 'the proposals' })).toEqual([]);
      const answered = proposals.getByRole('listitem').filter({ hasText: 'three weeks' });
      await answered.getByText('within 30 days of delivery').waitFor();
      await answered.getByRole('button', { name: 'Right' }).click();
      await answered.getByText('A test question: this document is expected').waitFor();
      await page.keyboard.press('2');
      await proposals.getByText('All decided: 2 test questions more.').waitFor();
      const stored = page.getByRole('region', { name: 'Questions', exact: true });
      await stored.getByText('Do you repair bicycles made of wood?').click();
      await stored.getByText('Asked by a visitor').first().waitFor();
      await proposals.getByRole('button', { name: 'Other questions' }).click();
      await proposals.getByText('Nothing new to propose').waitFor();
      await proposals.getByRole('button', { name: 'Close' }).click();
      await proposals.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a person who may only read asks, and marks nothing', async () => {
      const { page, own } = await board.visit(path, { cookie: viewer.cookie });
      expect(await page.getByRole('button', { name: 'Run all' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Ask a question on trial' }).first().click();
      const field = page.getByRole('dialog').getByRole('textbox', { name: 'Question' });
      await field.fill('Within how many days can I return a box?');
      await field.press('Enter');
      await page.getByRole('dialog').getByText('within 30 days of delivery').waitFor();
      expect(await page.getByRole('button', { name: 'Right', exact: true }).count()).toBe(0);
      await own.close();
    });
  },
);
