import { describe, expect, test } from 'vitest';
import { checkNextDocument } from '../../../../../core/knowledge/facts/check-document.ts';
import { ingestDocument } from '../../../../../core/knowledge/indexing/ingest-document.ts';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'contradictions in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { runtime } = board;
    const database = runtime.database.kysely;
    let count = 0;

    async function openShop(...texts: readonly string[]) {
      count += 1;
      const shop = await board.makeWorkspace({ name: `Shop ${count}` });
      for (const [index, text] of texts.entries()) {
        const added = await runtime.documents.add({
          ...{ workspaceId: shop.id, bytes: Buffer.from(text), title: `Page ${index + 1}` },
        });
        await ingestDocument({ ...runtime, database }, added.id);
      }
      while ((await checkNextDocument({ database, clock: runtime.clock })) !== null);
      const person = (role: 'owner' | 'viewer') =>
        signInPerson(board, { email: `${role}${count}@shop.example`, role, ownerId: shop.owner });
      return {
        path: `/w/${shop.id}/knowledge/conflicts`,
        owner: await person('owner'),
        viewer: await person('viewer'),
      };
    }

    const texts = ['The pass for the lake costs €5.', 'The pass for the lake costs €6.'];

    test('an owner sees both texts with their values marked, and dismisses them', async () => {
      const { path, owner } = await openShop(...texts);
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      const card = page.getByRole('listitem', { name: 'Different numbers' });
      await card.waitFor();
      expect(await card.locator('mark').allTextContents()).toEqual(['€5', '€6']);
      expect(await card.getByRole('figure').count()).toBe(2);
      expect(await card.getByRole('link', { name: 'Page 2' }).getAttribute('href')).toContain(
        '/knowledge/documents/',
      );
      expect(await findFaults(page, { name: 'contradictions' })).toEqual([]);
      await card.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('heading', { name: 'Nothing contradicts' }).waitFor();
      await page.getByRole('link', { name: 'Dismissed' }).click();
      await page.getByRole('button', { name: 'Open again' }).waitFor();
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a person who may only read sees them without a button', async () => {
      const { path, viewer } = await openShop(...texts);
      const { page, own } = await board.visit(path, { cookie: viewer.cookie });
      await page.getByRole('listitem', { name: 'Different numbers' }).waitFor();
      expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
      await own.close();
    });

    test('a workspace without contradictions says so', async () => {
      const { path, owner } = await openShop();
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('heading', { name: 'Nothing contradicts' }).waitFor();
      expect(await findFaults(page, { name: 'no contradictions' })).toEqual([]);
      await own.close();
    });
  },
);
