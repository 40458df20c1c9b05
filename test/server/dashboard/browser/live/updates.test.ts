import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { freePort } from '../../../../helpers/servers/network/free-port.ts';
import { runProduct } from '../../../../helpers/servers/processes/run-product.ts';
import { signInPerson, testPassword } from '../../../../helpers/servers/sign-in-person.ts';
import { testDataFolder } from '../../../../helpers/stores/databases/test-data-folder.ts';

const linkSchema = z.object({ link: z.string() });
const live = (page: Page) => page.locator('[data-state="live"]').waitFor();

describe.skipIf(chromiumPath === undefined)(
  'live news in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const streams = { open: 0, ever: 0 };
    board.app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.endsWith('/events') !== true) return;
      streams.open += 1;
      streams.ever += 1;
      response.once('close', () => {
        streams.open -= 1;
      });
    });
    let count = 0;

    async function openShop(role: 'owner' | 'agent' | 'viewer' = 'owner') {
      count += 1;
      const shop = await board.makeWorkspace({ name: `Shop ${count}` });
      const email = `${role}${count}@shop.example`;
      const person = await signInPerson(board, { email, role, ownerId: shop.owner });
      return { shop, person, path: `/w/${shop.id}/knowledge/documents` };
    }

    const openTab = async (own: BrowserContext, path: string) => {
      const page = await own.newPage();
      await page.goto(`${board.address}/dashboard${path}`);
      return page;
    };
    const row = (page: Page, name: string) => page.getByRole('link', { name }).first().waitFor();
    const add = (workspaceId: string, title: string) =>
      board.addDocument(workspaceId, `${title} dries for two days.`, [], { title });

    test('three tabs share one stream, and another takes over when its tab is closed', async () => {
      const { shop, person, path } = await openShop();
      const { page: first, own } = await board.visit(path, { cookie: person.cookie });
      await live(first);
      const before = streams.ever;
      const [second, third] = [await openTab(own, path), await openTab(own, path)];
      await Promise.all([live(second), live(third)]);
      expect(streams).toEqual({ open: 1, ever: before });
      await add(shop.id, 'Clay');
      await Promise.all([first, second, third].map((page) => row(page, 'Clay')));
      const follows = second.waitForRequest(/\/events$/);
      const alsoFollows = third.waitForRequest(/\/events$/);
      await first.close();
      await Promise.race([follows, alsoFollows]);
      await add(shop.id, 'Glaze');
      await Promise.all([second, third].map((page) => row(page, 'Glaze')));
      expect(streams.open).toBe(1);
      await own.close();
    });

    test('two browsers of two people each show at once what the other does', async () => {
      const { shop, person, path } = await openShop();
      const other = await signInPerson(board, {
        email: `other${count}@shop.example`,
        role: 'viewer',
        ownerId: shop.owner,
      });
      const one = await board.visit(path, { cookie: person.cookie });
      const two = await board.visit(path, { cookie: other.cookie });
      await Promise.all([live(one.page), live(two.page)]);
      await add(shop.id, 'Clay');
      await Promise.all([row(one.page, 'Clay'), row(two.page, 'Clay')]);
      await one.own.close();
      await two.own.close();
    });

    test('where tabs cannot agree, each has a stream of its own while it is visible', async () => {
      const { shop, person, path } = await openShop();
      const { page, own } = await board.visit('/me', { cookie: person.cookie });
      await own.addInitScript('delete Navigator.prototype.locks');
      await page.goto(`${board.address}/dashboard${path}`);
      await live(page);
      await add(shop.id, 'Clay');
      await row(page, 'Clay');
      await own.close();
    });

    test('a device without network says so at once, and reads what it missed as soon as it is back', async () => {
      const { shop, person, path } = await openShop();
      const { page, own } = await board.visit(path, { cookie: person.cookie });
      await live(page);
      await own.setOffline(true);
      await page.locator('[data-state="offline"]').waitFor();
      await add(shop.id, 'Clay');
      const reopened = page.waitForRequest(/\/events$/);
      await own.setOffline(false);
      await reopened;
      await live(page);
      await row(page, 'Clay');
      await own.close();
    });

    test('where no stream comes through, the page says so and asks every ten seconds', async () => {
      const { person, path } = await openShop();
      const { page, own } = await board.visit('/me', { cookie: person.cookie });
      await own.route('**/events', (route) => route.fulfill({ status: 204 }));
      await page.goto(`${board.address}/dashboard${path}`);
      await page.getByText('Every 10 s').waitFor();
      await page.waitForRequest(/\/documents\?/, { timeout: 15_000 });
      await own.close();
    });

    test('signing out elsewhere leads every tab to sign-in', async () => {
      const { person, path } = await openShop();
      const { page, own } = await board.visit(path, { cookie: person.cookie });
      const other = await openTab(own, path);
      await Promise.all([live(page), live(other)]);
      await person.call('POST', '/dashboard/auth/sign-out', {});
      await Promise.all([page, other].map((each) => each.waitForURL(/\/sign-in\?/)));
      await own.close();
    });

    test('a role that is taken away closes the workspace in an open tab', async () => {
      const { shop, person, path } = await openShop('agent');
      const { page, own } = await board.visit(path, { cookie: person.cookie });
      await live(page);
      const { id } = (await person.call('GET', '/admin/v1/me')).json().person;
      await signInPerson(board, { email: `boss${count}@shop.example`, role: 'owner', ownerId: shop.owner });
      const other = await board.makeWorkspace({ owner: shop.owner });
      const narrowed = await board.operate('PATCH', `/workspaces/${shop.id}/members/${id}`, {
        role: 'agent',
        workspaces: [other.id],
      });
      expect(narrowed.statusCode).toBe(200);
      await page.getByText('Nothing here').first().waitFor();
      await own.close();
    });

    test('another build of the server is offered, and never loaded by itself', async () => {
      const { person, path } = await openShop();
      const { page, own, complaints } = await board.visit('/me', { cookie: person.cookie });
      const hello = { event: 'hello', version: 'main-OTHER.js', at: new Date().toISOString() };
      await own.route('**/events', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(hello)}\n\n` }),
      );
      await page.goto(`${board.address}/dashboard${path}`);
      await page.getByText('A new version of the dashboard is ready.').waitFor();
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Reload' }).click();
      await loaded;
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a killed server is found again, and what was missed is read', { timeout: 180_000 }, async () => {
      const environment = {
        ADMIN_TOKEN: 'a-token-for-the-tests-of-live-news-0123456789',
        DATA_DIR: testDataFolder(),
        PORT: String(await freePort()),
      };
      const operate = (address: string, path: string, init: RequestInit = {}) =>
        fetch(`${address}/admin/v1${path}`, {
          ...init,
          headers: {
            authorization: `Bearer ${environment.ADMIN_TOKEN}`,
            'content-type': 'application/json',
          },
        }).then((response) => response.json());
      const server = await runProduct(environment);
      const address = server.address.replace('127.0.0.1', 'localhost');
      const { link } = linkSchema.parse(
        await operate(address, '/begin-link', { method: 'POST', body: '{}' }),
      );
      const own = await board.browser.newContext();
      const page = await own.newPage();
      await page.goto(`${address}/dashboard/begin#${link.split('#')[1]}`);
      await page.getByLabel('Your name').fill('Maya Reid', { timeout: 120_000 });
      await page.getByLabel('E-mail').fill('maya@acme.example');
      await page.getByLabel('Password', { exact: true }).fill(testPassword);
      await page.getByRole('button', { name: 'Make the account' }).click();
      await page.waitForURL(/\/w\//);
      const workspaceId = /\/w\/(\w+)/.exec(page.url())?.[1] ?? '';
      await page.goto(`${address}/dashboard/w/${workspaceId}/knowledge/documents`);
      await live(page);
      await server.end('SIGKILL');
      await page.locator('[data-state="reconnecting"]').waitFor();
      const again = await runProduct(environment);
      const added = { title: 'Missed meanwhile', content: 'Clay dries for two days.' };
      await operate(again.address, `/workspaces/${workspaceId}/documents`, {
        method: 'POST',
        body: JSON.stringify(added),
      });
      await live(page);
      await row(page, 'Missed meanwhile');
      await own.close();
      await again.end('SIGKILL');
    });
  },
);
