import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chromiumPath } from '../../../helpers/servers/browser/open-browser.ts';
import { findBarriers, openDashboard } from '../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const width = 390;

/** Finds the columns that are cut or not shown, as a person with a phone meets them. */
const findCut = `[...document.querySelectorAll('.p-table')].flatMap((table) => {
  const heads = [...table.querySelectorAll('thead [data-column]')].map(({ dataset }) => dataset.column);
  return [...table.querySelectorAll('tbody tr')].slice(0, 3).flatMap((row) => [
    ...heads.filter((name) => row.querySelector('[data-column="' + name + '"]') === null).map((name) => name + ' is missing'),
    ...[...row.querySelectorAll('td')].flatMap((cell) => {
      const { left, right, height } = cell.getBoundingClientRect();
      const name = cell.dataset.column ?? 'pick';
      const isSeen = height > 0 && getComputedStyle(cell).visibility === 'visible';
      return [
        ...(isSeen ? [] : [name + ' is not shown']),
        ...(left < 0 || right > ${width} ? [name + ' is cut: ' + left + ' to ' + right] : []),
        ...(cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflow !== 'visible' ? [name + ' scrolls'] : []),
      ];
    }),
  ]);
}).concat(document.documentElement.scrollWidth > ${width} ? ['the page scrolls sideways'] : [])`;

describe.skipIf(chromiumPath === undefined)(
  'tables on a phone, in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
    const shop = await board.makeWorkspace({ name: 'Shop', plan: 'growth' });
    const owner = await signInPerson(board, {
      email: 'maya.with-a-long-name@shop.example',
      role: 'operator',
      ownerId: shop.owner,
    });
    const at = `/workspaces/${shop.id}`;
    const long = 'Delivery to Germany, Austria and Switzerland in the weeks before Christmas';
    await board.addDocument(shop.id, `# ${long}\n\nIt takes three days.`, [], { title: long });
    await board.query(shop.key, { query: 'How long does delivery to Germany take?' });
    const make = async (path: string, body: object) => {
      const { statusCode, body: answer } = await owner.call('POST', `/admin/v1${at}${path}`, body);
      expect([path, statusCode, statusCode === 201 ? '' : answer]).toEqual([path, 201, '']);
    };
    await make('/webhooks', {
      url: 'https://hooks.a-long-name-of-a-shop.example/a/long/path/to/the/receiver',
      events: ['conversation.escalated', 'conversation.rated'],
    });
    await make('/curated-answers', { question: long, answer: 'Three days.' });
    await make('/change-sets', { name: long });
    await make('/sources', {
      kind: 'website',
      name: long,
      settings: { url: 'https://shop.example/help' },
      run: false,
    });
    const root = `/w/${shop.id}`;

    const look = async (page: Page, path: string) => {
      await page.goto(`${board.address}/dashboard${path}`);
      const row = page.locator('.p-table tbody tr').first();
      const isThere = await row.waitFor({ timeout: 20_000 }).then(
        () => true,
        () => false,
      );
      if (!isThere) return [`${path}: no row`];
      const faults = z.array(z.string()).parse(await page.evaluate(findCut));
      return [...faults, ...(await findBarriers(page))].map((fault) => `${path}: ${fault}`);
    };

    test('each screen with a table shows every column of a row', async () => {
      const { page, own } = await board.visit(`${root}/settings/people`, {
        cookie: owner.cookie,
        context: { viewport: { width, height: 844 } },
      });
      const faults: string[] = [];
      for (const path of [
        `${root}/settings/people`,
        `${root}/settings/audit`,
        `${root}/settings/keys`,
        `${root}/settings/webhooks`,
        `${root}/knowledge/documents`,
        `${root}/knowledge/curated`,
        `${root}/knowledge/changes`,
        `${root}/knowledge/sources`,
        `${root}/answers`,
        '/operations',
        '/operations?tab=owners',
      ])
        faults.push(...(await look(page, path)));
      expect(faults).toEqual([]);
      await own.close();
    });
  },
);
