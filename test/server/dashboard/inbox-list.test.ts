import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { runBulkWorker } from '../../../workers/inbox/worker.ts';
import { chromiumPath } from '../../helpers/servers/open-browser.ts';
import { findBarriers, openDashboard } from '../../helpers/servers/open-dashboard.ts';
import { signInPerson } from '../../helpers/servers/sign-in-person.ts';
import { stageInbox } from '../../helpers/stores/stage-inbox.ts';

const scene = [
  { name: 'Ann Lee', channel: 'whatsapp', text: 'A person please. I work in the week.', ago: 12 },
  { phone: '+44 7700 900318', channel: 'sms', text: 'can i speak to someone about my refund', ago: 9 },
  { name: 'Jo Park', channel: 'telegram', text: 'It still blinks.', ago: 7, priority: 'high' },
  {
    name: 'Matteo Ricci',
    channel: 'email',
    text: 'Mixed order to Milan: only one parcel came',
    ago: 6,
    tags: ['returns-eu'],
  },
  { channel: 'widget', text: 'Purple light, and it will not go away', ago: 4 },
  {
    name: 'Hollybank School',
    channel: 'intercom',
    text: 'Could you invoice us for 24 Minis?',
    ago: 3,
    tags: ['trade', 'school', 'invoice'],
  },
  { name: 'Priya Nair', channel: 'slack', text: 'The engraving should say Nani', ago: 1, priority: 'urgent' },
] as const;

describe.skipIf(chromiumPath === undefined)('the list of the inbox in Chromium', async () => {
  if (chromiumPath === undefined) return;
  const board = await openDashboard();
  afterAll(await runBulkWorker(board.runtime));
  const { kysely: database } = board.runtime.database;
  let count = 0;

  async function openShop(conversations: Parameters<typeof stageInbox>[1] = scene) {
    const shop = await board.makeWorkspace({
      name: 'Pottle & Sprig',
      settings: { sla: { first_response_minutes: 15, resolution_minutes: 240 } },
    });
    const person = (role: 'owner' | 'agent' | 'viewer', name: string = role) => {
      count += 1;
      return signInPerson(board, { email: `${name}${count}@shop.example`, role, ownerId: shop.owner });
    };
    const ids = await stageInbox({ database, workspaceId: shop.id }, conversations);
    return { ...shop, path: `/w/${shop.id}/inbox`, ids, person };
  }

  const row = (page: Page, name: string) => page.getByRole('option', { name });
  const rows = (page: Page) => page.getByRole('listbox').getByRole('option');

  describe.each(['light', 'dark'] as const)('in %s', async (scheme) => {
    const shop = await openShop();
    const empty = await openShop([]);
    const [owner, newcomer] = [await shop.person('owner'), await empty.person('owner')];
    test.each([
      ['the list', shop, owner, ''],
      ['a list with filters', shop, owner, '?view=open&tag=trade&priority=high,urgent&unread=1'],
      ['a search', shop, owner, '?view=all&q=refund'],
      ['an open conversation', shop, owner, `/${shop.ids[0]}`],
      ['an inbox without conversations', empty, newcomer, ''],
    ])(
      '%s has no barrier, no breach of its policy and no sideways scrolling',
      async (name, at, person, path) => {
        for (const width of [360, 1_600]) {
          const { page, own, complaints } = await board.visit(at.path + path, {
            cookie: person.cookie,
            context: { colorScheme: scheme, viewport: { width, height: 900 } },
          });
          await page
            .getByRole('heading', { level: 1, includeHidden: true })
            .first()
            .waitFor({ state: 'attached' });
          await page
            .getByText(/Visitor on|No conversation|Waits|Ann Lee/)
            .first()
            .waitFor({ state: 'attached' });
          if (process.env.PARLEY_SHOTS !== undefined) {
            await page.waitForTimeout(600);
            await page.screenshot({
              path: `${process.env.PARLEY_SHOTS}/${name.replaceAll(' ', '-')}-${scheme}-${width}.png`,
            });
          }
          expect(await findBarriers(page)).toEqual([]);
          expect(await page.evaluate('window.violations')).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          expect(complaints).toEqual([]);
          await own.close();
        }
      },
    );
  });

  test('the list shows the longest wait first, and views count what they hold', async () => {
    const shop = await openShop();
    const { page, own } = await board.visit(shop.path, { cookie: (await shop.person('agent')).cookie });
    await expect.poll(() => rows(page).count()).toBe(7);
    expect(await rows(page).first().textContent()).toContain('Ann Lee');
    const views = page.getByRole('navigation', { name: 'Views of the inbox' }).first();
    expect(await views.getByRole('link').first().textContent()).toBe('Waiting for a person7');
    await own.close();
  });
});
