import { afterAll, describe, expect, test } from 'vitest';
import { duties } from '../../../../../../core/health/duties.ts';
import { runBulkWorker } from '../../../../../../workers/inbox/worker.ts';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';
import { addTestChannel } from '../../../../../helpers/stores/add-test-channel.ts';

const phone = { viewport: { width: 390, height: 844 } };

describe.skipIf(chromiumPath === undefined)(
  'the operator’s area in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { runtime } = board;
    const { id, owner: ownerId } = await board.makeWorkspace({ name: 'Pottle & Sprig', owner: 'own_sprig' });
    const { kysely, pool } = runtime.database;
    const { secretBox } = runtime.installation;
    const channel = await addTestChannel(kysely, { workspaceId: id, channel: 'telegram', secretBox });
    await runtime.processes.addRole(
      'workers',
      duties.map(({ kind }) => kind),
    );
    afterAll(await runBulkWorker(runtime));
    const operator = await signInPerson(board, { email: 'ops@sprig.example', role: 'operator', ownerId });
    const owner = await signInPerson(board, { email: 'ann@sprig.example', role: 'owner', ownerId });

    /** A message of a visitor that waits since ten minutes, or failed for this reason. */
    async function addEvent(event: string, failure: string | null): Promise<void> {
      await pool.query({
        text: `insert into inbound_event (channel_id, workspace_id, event_id, lane, native, received_at, settled_at, failure)
               values ($1, $2, $3, 'c', '{}', now() - interval '10 minutes', now() - interval '10 minutes', $4)`,
        values: [channel, id, event, failure],
      });
    }

    test('says what is wrong first, with what to do, and what is lacking; the doctor’s report is text', async () => {
      await addEvent('waits', null);
      const { page, own, complaints } = await board.visit(`/w/${id}/inbox`, { cookie: operator.cookie });
      await page.getByRole('link', { name: 'Operations' }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('o');
      const alarm = page.getByRole('region', { name: 'Answers' });
      await alarm.getByText('Answers: Not well').waitFor();
      await alarm.getByText(/the oldest work has waited \d+ min/).waitFor();
      await alarm.getByText('What to do').waitFor();
      await page.getByText('1 needs you').waitFor();
      await page.getByText('No public address').waitFor();
      await page.getByRole('button', { name: 'Show 1' }).click();
      await page.getByRole('row', { name: /Database/ }).waitFor();
      expect(await findFaults(page, { name: 'operations-now', widths: [1_440, 390] })).toEqual([]);
      await page.setViewportSize({ width: 1_440, height: 900 });
      await page.getByRole('button', { name: 'Run the doctor' }).click();
      await page.getByText('fail  worker answer: One process runs it').waitFor();
      expect(complaints).toEqual([]);
      await pool.query('delete from inbound_event');
      await own.close();
    });

    test('drops what the filter shows, and nothing that failed for another reason', async () => {
      for (const event of ['a', 'b']) await addEvent(event, 'Token expired.');
      await addEvent('c', 'No model answers.');
      const { page, own } = await board.visit('/operations?tab=failures', { cookie: operator.cookie });
      await page
        .getByRole('row', { name: /Token expired/ })
        .getByRole('button')
        .click();
      await page.getByRole('button', { name: 'Drop 2' }).waitFor();
      expect(await findFaults(page, { name: 'operations-failures', widths: [1_440, 390] })).toEqual([]);
      await page.setViewportSize({ width: 1_440, height: 900 });
      await page.getByRole('button', { name: 'Drop 2' }).click();
      await page
        .getByRole('dialog', { name: 'Drop 2 failures?' })
        .getByRole('button', { name: 'Drop' })
        .click();
      await page.getByText('Done, 2 of 2').waitFor();
      await page.getByText('No failure').waitFor();
      await page.getByRole('button', { name: 'All reasons' }).click();
      await page.getByRole('row', { name: /No model answers/ }).waitFor();
      await own.close();
    });

    test('follows a message by the id of the platform, and says what is not there', async () => {
      const { page, own } = await board.visit('/operations?tab=message', { cookie: operator.cookie });
      const field = page.getByLabel('Id of a message');
      await field.fill('unknown');
      await field.press('Enter');
      await page.getByText('No message has this id').waitFor();
      await field.fill('c');
      await field.press('Enter');
      await page.getByText('Received and stored').waitFor();
      await page.getByText('No model answers.').waitFor();
      expect(await findFaults(page, { name: 'operations-message', widths: [1_440, 390] })).toEqual([]);
      await own.close();
    });

    test('finds a workspace among many, on a phone as well', async () => {
      for (let each = 0; each < 60; each += 1) await runtime.workspaces.create({ name: `Shop ${each}` });
      const { page, own } = await board.visit('/operations?tab=owners', {
        cookie: operator.cookie,
        context: phone,
      });
      await page.getByText('61 workspaces of 61 owners').waitFor();
      await page.getByRole('button', { name: 'More workspaces' }).click();
      await page.getByText('Shop 0', { exact: true }).waitFor();
      await page.getByRole('searchbox').fill('pottle');
      await page.getByText('own_sprig').waitFor();
      await expect.poll(() => page.getByText('Shop 1', { exact: true }).count()).toBe(0);
      expect(await findFaults(page, { name: 'operations-owners', widths: [1_440, 390] })).toEqual([]);
      await own.close();
    });

    test('is not there for an owner, who is told whom it is for', async () => {
      const { page, own } = await board.visit('/operations', { cookie: owner.cookie });
      await page.getByText('This area is for operators').waitFor();
      expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0);
      await own.close();
    });

    test('speaks German', async () => {
      const { page, own } = await board.visit('/operations', {
        cookie: operator.cookie,
        context: { locale: 'de-DE' },
      });
      await page.getByRole('heading', { level: 1, name: 'Betrieb' }).waitFor();
      await page.getByText('Keine öffentliche Adresse').waitFor();
      await own.close();
    });
  },
);
