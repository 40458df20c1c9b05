import { describe, expect, test } from 'vitest';
import { fitWorkspace, storeOffer } from '../../../../../core/answering/refit/correction-offers.ts';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';
import { judgeAnswers, overConfident } from '../../../../helpers/stores/inbox/judge-answers.ts';

describe.skipIf(chromiumPath === undefined)(
  'the correction of how sure answers are, in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { kysely: database } = board.runtime.database;
    const { clock } = board.runtime;

    async function openShop(name: string, judged: number) {
      const shop = await board.makeWorkspace({ name });
      await judgeAnswers(database, shop.id, overConfident(judged, clock.now()));
      const refit = await fitWorkspace({ database, clock }, { id: shop.id, correction: null });
      await storeOffer(database, { workspaceId: shop.id, refit, now: clock.now() });
      const visit = async (role: 'owner' | 'viewer') => {
        const person = { email: `${role}@${name.toLowerCase()}.example`, role, ownerId: shop.owner };
        const { cookie } = await signInPerson(board, person);
        return board.visit(`/w/${shop.id}/settings/answers`, { cookie });
      };
      return { shop, visit };
    }

    const title = 'Are answers as sure as they say?';

    test('an owner sees what was judged, uses the correction and takes it back', async () => {
      const { shop, visit } = await openShop('Shop', 312);
      const { page, own, complaints } = await visit('owner');
      const section = page.getByRole('region', { name: title });
      await section.getByText('From 312 judged answers of the last 90 days').waitFor();
      expect(await section.getByRole('row').count()).toBe(6);
      await section.getByText(/of 312 answers of the last 30 days would have been shown/).waitFor();
      expect(await findFaults(page, { name: 'correction offered' })).toEqual([]);
      await section.getByRole('button', { name: 'Use' }).click();
      await section.getByText(/A correction has been in use since .+, from 312 judged answers\./).waitFor();
      expect(await findFaults(page, { name: 'correction in use' })).toEqual([]);
      expect((await board.runtime.workspaces.get(shop.id)).correction).toMatchObject({ judged: 312 });
      await section.getByRole('button', { name: 'Take it back' }).click();
      await section.waitFor({ state: 'detached' });
      expect((await board.runtime.workspaces.get(shop.id)).correction).toBeNull();
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('"Not now" puts it away', async () => {
      const { shop, visit } = await openShop('Later', 312);
      const { page, own } = await visit('owner');
      const section = page.getByRole('region', { name: title });
      await section.getByRole('button', { name: 'Not now' }).click();
      await section.waitFor({ state: 'detached' });
      expect((await board.runtime.workspaces.get(shop.id)).correction).toBeNull();
      await own.close();
    });

    test('a person who may only read sees it without buttons, and nobody sees one that is not offered', async () => {
      const { visit } = await openShop('Reader', 312);
      const { page, own } = await visit('viewer');
      await page.getByRole('region', { name: title }).getByText('From 312 judged').waitFor();
      expect(await page.getByRole('button', { name: 'Not now' }).count()).toBe(0);
      await own.close();
      const few = await (await openShop('Few', 20)).visit('owner');
      const read = few.page.waitForResponse((response) => response.url().endsWith('/correction'));
      await few.page.reload();
      await read;
      await few.page.getByRole('heading', { name: 'How sure an answer has to be' }).waitFor();
      expect(await few.page.getByRole('heading', { name: title }).count()).toBe(0);
      await few.own.close();
    });
  },
);
