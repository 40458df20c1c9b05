import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { plainTurn } from '../../../../helpers/models/plain-turn.ts';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'the command menu in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const shop = await board.makeWorkspace({ name: 'Shop' });
    await board.addDocument(shop.id, '# Delivery to Germany\n\nIt takes three days.', [], {
      title: 'Delivery to Germany',
    });
    await board.runtime.conversations.storeTurn(
      plainTurn(shop.id, {
        question: 'Where is my parcel?',
        customer: { name: 'Ann Lee', email: 'ann@mail.example', emailVerified: true, phone: null },
      }),
    );
    const signIn = (role: 'owner' | 'viewer') =>
      signInPerson(board, { email: `${role}@shop.example`, role, ownerId: shop.owner });
    const owner = await signIn('owner');
    const viewer = await signIn('viewer');
    const root = `/w/${shop.id}`;
    const open = async (page: Page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command menu' }).waitFor();
    };
    const entry = (page: Page, name: string | RegExp) =>
      page.getByRole('dialog').getByRole('button', { name });

    test('it finds a document, a visitor, a conversation, a person and a key, and leads there by keys', async () => {
      const { page, own, complaints } = await board.visit(`${root}/channels`, { cookie: owner.cookie });
      await open(page);
      await page.keyboard.type('delivery to germ');
      await entry(page, /Delivery to Germany/).waitFor();
      await page.getByRole('dialog').getByRole('group', { name: 'Documents · 1' }).waitFor();
      expect(await findFaults(page, { name: 'command menu' })).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Delivery to Germany' }).waitFor();
      await open(page);
      // The choice comes first while nothing is typed.
      await page.getByRole('group', { name: 'Chosen last' }).getByText('Delivery to Germany').waitFor();
      for (const [typed, group, name] of [
        ['ann lee', 'Visitors', /Ann Lee/],
        ['parcel', 'Conversations', /Ann Lee/],
        ['viewer', 'People', /viewer@shop.example/],
        ['test', 'Keys and webhooks', /Test/],
      ] as const) {
        await page.getByRole('dialog').getByRole('textbox').fill(typed);
        await page
          .getByRole('dialog')
          .getByRole('group', { name: group })
          .getByRole('button', { name })
          .waitFor();
      }
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a setting is found by its name, also mistyped, and its field is focused and marked', async () => {
      const { page, own } = await board.visit(`${root}/channels`, { cookie: owner.cookie });
      await open(page);
      await page.keyboard.type('keep conversatoins');
      await entry(page, /Keep conversations for/).waitFor();
      await page.keyboard.press('Enter');
      const field = page.locator('[data-field="retention_days"][data-marked]');
      await field.locator('input:focus').waitFor();
      expect(await findFaults(page, { name: 'marked setting' })).toEqual([]);
      await page.getByRole('textbox', { name: 'Description' }).focus();
      await field.waitFor({ state: 'detached' });
      await own.close();
    });

    test('verbs begin on their screen, and a person is offered only what they may do', async () => {
      const { page, own } = await board.visit(`${root}/knowledge/documents`, { cookie: owner.cookie });
      await open(page);
      await page.keyboard.type('invite');
      await entry(page, 'Invite a person').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Invite a person' }).waitFor();
      await own.close();
      const reader = await board.visit(`${root}/knowledge/documents`, { cookie: viewer.cookie });
      await open(reader.page);
      await reader.page.keyboard.type('new');
      await entry(reader.page, 'New API key').waitFor({ state: 'detached' });
      const names = await entry(reader.page, /./).allInnerTexts();
      expect(names.filter((name) => /API key|webhook|workspace|document|Invite/u.test(name))).toEqual([]);
      await reader.own.close();
    });

    test('a pause in the typing asks once, the next letter cancels it, and a failure says what was not searched', async () => {
      const asked: string[] = [];
      const { page, own } = await board.visit(`${root}/channels`, { cookie: owner.cookie });
      const documents = `**/admin/v1/workspaces/${shop.id}/documents?*`;
      let isBroken = true;
      await own.route(documents, (route, request) => {
        asked.push(new URL(request.url()).searchParams.get('q') ?? '');
        // The first words stay without an answer.
        if (asked.length === 1) return;
        return isBroken
          ? route.fulfill({
              status: 400,
              json: { code: 'invalid_request', detail: 'No.', request_id: 'req_1' },
            })
          : route.continue();
      });
      const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('q=del'));
      await open(page);
      const field = page.getByRole('dialog').getByRole('textbox');
      await field.fill('del');
      await expect.poll(() => asked).toEqual(['del']);
      await field.fill('delivery');
      expect((await ended).failure()?.errorText).toContain('ABORTED');
      await entry(page, /Not searched: Documents\./).waitFor();
      isBroken = false;
      await entry(page, /Not searched: Documents\./).click();
      await entry(page, /Delivery to Germany/).waitFor();
      expect(new Set(asked)).toEqual(new Set(['del', 'delivery']));
      await field.fill('zzzz');
      await page.getByText('Nothing matches “zzzz”.').waitFor();
      await own.close();
    });

    test('in German on a phone', async () => {
      const { page, own } = await board.visit(`${root}/channels`, {
        cookie: owner.cookie,
        context: { locale: 'de-DE', viewport: { width: 390, height: 844 } },
      });
      await page.getByRole('heading', { level: 1, name: 'Kanäle' }).waitFor();
      await page.getByRole('button', { name: 'Suchen' }).click();
      await page.getByRole('dialog', { name: 'Befehle' }).getByRole('textbox').fill('einladen');
      await entry(page, 'Eine Person einladen').waitFor();
      expect(await findFaults(page, { name: 'Befehle', widths: [390] })).toEqual([]);
      await own.close();
    });
  },
);
