import { describe, expect, test } from 'vitest';
import { rollUpInsights } from '../../../../../../core/insights/roll-up.ts';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';
import { fillHistory } from '../../../../../helpers/stores/insights/fill-history.ts';

describe.skipIf(chromiumPath === undefined)(
  'insights in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const database = board.runtime.database.kysely;
    const shop = await board.makeWorkspace({ name: 'Shop' });
    const owner = await signInPerson(board, {
      ...{ email: 'owner@shop.example', role: 'owner' },
      ownerId: shop.owner,
    });
    const path = `/w/${shop.id}/insights`;
    const now = new Date();

    test('an owner without conversations is told when insights begin', async () => {
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('heading', { name: 'Nothing to count yet' }).waitFor();
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('an owner filters the page by a row, sees what a number counts, and opens a conversation', async () => {
      await fillHistory(database, {
        ...{ workspaceId: shop.id, conversations: 150, days: 20 },
        before: new Date(now.getTime() - 3_600_000),
      });
      await database
        .transaction()
        .execute((transaction) => rollUpInsights({ transaction, now }, () => 'interface'));
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      const outcomes = page.getByRole('region', { name: 'Outcomes' });
      await outcomes.getByText(/Outcomes of \d+ conversations that ended/).waitFor();
      await page.getByRole('region', { name: 'Cost and speed' }).getByText('openai:gpt').waitFor();
      expect(await findFaults(page, { name: 'the insights' })).toEqual([]);

      const channels = page.getByRole('region', { name: 'Channels' });
      await channels.getByRole('button', { name: 'Website widget' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Remove the filter Channel: Website widget' }).waitFor();
      await expect.poll(() => channels.getByRole('rowheader').count()).toBe(1);

      const definition = outcomes.getByRole('button', { name: /How Outcomes is counted/ });
      await definition.focus();
      await page.getByRole('tooltip').waitFor();

      await outcomes.getByTitle('Show the conversations: Answered, left quietly').click();
      await page.getByRole('heading', { name: 'Conversations behind a number' }).waitFor();
      const rows = page.getByRole('table').getByRole('row');
      await rows.nth(1).getByText('Answered, left quietly').waitFor();
      expect(await findFaults(page, { name: 'the conversations behind a number' })).toEqual([]);
      await rows.nth(1).getByRole('link').click();
      await page.waitForURL(/\/inbox\/conv_/);
      expect(complaints).toEqual([]);
      await own.close();
    });
  },
);
