import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { collectSearchWords } from '../../../../../../core/conversations/list/search-words.ts';
import { runBulkWorker } from '../../../../../../workers/inbox/worker.ts';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { holdPatches } from '../../../../../helpers/servers/browser/hold-requests.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';
import { stageInbox } from '../../../../../helpers/stores/inbox/stage-inbox.ts';

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

  describe('without a change', async () => {
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
        const { page, own, complaints } = await board.visit(at.path + path, { cookie: person.cookie });
        await page
          .getByRole('heading', { level: 1, includeHidden: true })
          .first()
          .waitFor({ state: 'attached' });
        await page
          .getByText(/Visitor on|No conversation|Waits|Ann Lee|my refund/)
          .first()
          .waitFor({ state: 'attached' });
        expect(await findFaults(page, { name })).toEqual([]);
        expect(complaints).toEqual([]);
        await own.close();
      },
    );
  });

  test('the list shows the longest wait first, and views count what they hold', async () => {
    const shop = await openShop();
    const { page, own } = await board.visit(shop.path, { cookie: (await shop.person('agent')).cookie });
    await expect.poll(() => rows(page).count()).toBe(7);
    expect(await rows(page).first().textContent()).toContain('Ann Lee');
    const views = page.getByRole('navigation', { name: 'Views of the inbox' }).first();
    await expect.poll(() => views.getByRole('link').first().textContent()).toBe('Waiting for a person7');
    await own.close();
  });

  test('a change by one person shows in the browser of another, and no row moves for a newcomer', async () => {
    const shop = await openShop();
    const [ann, ben] = [await shop.person('agent', 'ann'), await shop.person('agent', 'ben')];
    const one = await board.visit(`${shop.path}?view=open`, { cookie: ann.cookie });
    const other = await board.visit(`${shop.path}?view=open`, { cookie: ben.cookie });
    for (const { page } of [one, other]) await row(page, 'Jo Park').waitFor();
    await other.page.getByText('Live', { exact: true }).waitFor();
    await one.page.keyboard.press('j');
    await one.page.keyboard.press('e');
    await row(other.page, 'Priya Nair').waitFor({ state: 'detached' });
    expect(await rows(other.page).first().textContent()).toContain('Hollybank School');
    await stageInbox({ database, workspaceId: shop.id }, [{ name: 'Nell Gray', ago: 0 }]);
    await other.page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await rows(other.page).first().textContent()).toContain('Hollybank School');
    await other.page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(() => rows(other.page).first().textContent()).toContain('Nell Gray');
    await Promise.all([one.own.close(), other.own.close()]);
  });

  test('all that match are resolved together, also those that were not loaded, and brought back', async () => {
    const many = Array.from({ length: 120 }, (_, n) => ({ name: `Customer ${n}`, ago: n + 1 }));
    const shop = await openShop(many);
    const owner = await shop.person('owner');
    const { page, own } = await board.visit(shop.path, { cookie: owner.cookie });
    await row(page, 'Customer 119').waitFor();
    await page.keyboard.press('Control+a');
    await page.getByText('All 120 that match').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('120 conversations resolved').waitFor();
    const waiting = async () => {
      const path = `/admin/v1/workspaces/${shop.id}/conversation-counts`;
      return (await owner.call('GET', path)).json().views.waiting;
    };
    expect(await waiting()).toBe(0);
    expect(await rows(page).count()).toBe(0);
    await page.keyboard.press('z');
    await expect.poll(waiting, { timeout: 20_000 }).toBe(120);
    await row(page, 'Customer 119').waitFor();
    await own.close();
  });

  test('keys alone assign, tag, snooze, prioritise and resolve, and undo takes the last one back', async () => {
    const shop = await openShop();
    const agent = await shop.person('agent', 'ben');
    const { page, own } = await board.visit(`${shop.path}?view=open&sort=waiting`, { cookie: agent.cookie });
    const read = async (position: number) => {
      const path = `/admin/v1/workspaces/${shop.id}/conversations/${shop.ids[position]}`;
      return (await agent.call('GET', path)).json();
    };
    await row(page, 'Ann Lee').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('option', { name: 'Ann Lee', selected: true }).waitFor();
    await page.keyboard.press('i');
    await expect.poll(async () => (await read(0)).assignee?.name).toContain('ben');
    await page.keyboard.press('l');
    await page.getByRole('combobox', { name: 'Tag' }).fill('warranty');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await read(0)).tags).toEqual(['warranty']);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('p');
    await page.getByRole('combobox', { name: 'Priority…' }).fill('urg');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(0)).priority).toBe('urgent');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('s');
    await page.getByRole('combobox', { name: 'When' }).fill('tomorrow');
    await page.keyboard.press('Enter');
    await row(page, 'Ann Lee').waitFor({ state: 'detached' });
    await expect.poll(async () => (await read(0)).status).toBe('snoozed');
    await page.keyboard.press('j');
    await page.getByRole('option', { selected: true }).waitFor();
    expect(await page.getByRole('option', { selected: true }).textContent()).toContain('+44 7700 900318');
    await page.keyboard.press('Shift+E');
    await page.getByRole('option', { name: 'Jo Park', selected: true }).waitFor();
    await expect.poll(async () => (await read(1)).status).toBe('resolved');
    await page.keyboard.press('z');
    await expect.poll(async () => (await read(1)).status).toBe('escalated');
    await row(page, '+44 7700 900318').waitFor();
    await own.close();
  });

  test('each undo has its own ten seconds, also right after another', async () => {
    const shop = await openShop();
    const agent = await shop.person('agent');
    const { page, own } = await board.visit(`${shop.path}?view=open&sort=waiting`, { cookie: agent.cookie });
    const path = `/admin/v1/workspaces/${shop.id}/conversations/${shop.ids[0]}`;
    await row(page, 'Ann Lee').waitFor();
    await page.clock.install();
    await page.keyboard.press('j');
    await page.keyboard.press('i');
    await page.locator('.p-toast').waitFor();
    await page.clock.fastForward(8_000);
    await page.keyboard.press('Shift+E');
    await page.locator('.p-toast').getByText('Resolved').waitFor();
    await page.clock.fastForward(8_000);
    await page.keyboard.press('z');
    await row(page, 'Ann Lee').waitFor();
    await expect.poll(async () => (await agent.call('GET', path)).json().status).toBe('escalated');
    await own.close();
  });

  test('an undo at once takes back the change that is on its way, and not the one before', async () => {
    const shop = await openShop();
    const agent = await shop.person('agent');
    const { page, own } = await board.visit(`${shop.path}?view=open&sort=waiting`, { cookie: agent.cookie });
    const read = async () => {
      const path = `/admin/v1/workspaces/${shop.id}/conversations/${shop.ids[0]}`;
      return (await agent.call('GET', path)).json();
    };
    await row(page, 'Ann Lee').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('i');
    await expect.poll(async () => (await read()).assignee).not.toBeNull();
    const patches = await holdPatches(own);
    await page.keyboard.press('Shift+E');
    await row(page, 'Ann Lee').waitFor({ state: 'detached' });
    await expect.poll(() => patches.held.length).toBe(1);
    await page.keyboard.press('z');
    // The row is back before the server has answered.
    await row(page, 'Ann Lee').waitFor();
    await expect.poll(() => page.locator('.p-toast').count()).toBe(0);
    expect(patches.sent).toEqual([{ status: 'resolved' }]);
    await patches.release();
    await expect.poll(() => patches.sent).toEqual([{ status: 'resolved' }, { status: 'escalated' }]);
    await expect.poll(async () => (await read()).status).toBe('escalated');
    expect((await read()).assignee).not.toBeNull();
    await row(page, 'Ann Lee').waitFor();
    await own.close();
  });

  test('a closed search leads back to the view that it began in', async () => {
    const shop = await openShop();
    const { page, own } = await board.visit(`${shop.path}?view=open`, {
      cookie: (await shop.person('agent')).cookie,
    });
    await row(page, 'Jo Park').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('pump');
    await expect.poll(() => page.url()).toContain('q=pump');
    await page.getByRole('button', { name: 'Close the search' }).click();
    await expect.poll(() => page.url()).toMatch(/view=open$/);
    await own.close();
  });

  test('a misspelt search names the words that were searched, and looks for the typed ones alone if asked', async () => {
    const shop = await openShop();
    const now = new Date(Date.now() + 120_000);
    const collect = () =>
      database.transaction().execute((transaction) => collectSearchWords({ transaction, now }));
    // One round reads a few conversations, and the other tests have made many.
    while ((await collect()) > 0);
    const { page, own } = await board.visit(shop.path, { cookie: (await shop.person('agent')).cookie });
    await row(page, 'Jo Park').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('refnud');
    await page.getByText('Showing results for “refund”.').waitFor();
    await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('my refund')]);
    expect(await findFaults(page, { name: 'a corrected search' })).toEqual([]);
    await page.getByRole('button', { name: 'Search for “refnud” only' }).click();
    await page.getByText('No conversation matches').waitFor();
    expect(await page.getByText('Showing results').count()).toBe(0);
    await page.goBack();
    await page.getByText('Showing results for “refund”.').waitFor();
    await own.close();
  });

  test('of several conversations E resolves those that are not resolved, and another key opens them again', async () => {
    const shop = await openShop(['Ann Lee', 'Jo Park', 'Priya Nair'].map((name, ago) => ({ name, ago })));
    const owner = await shop.person('owner');
    const base = `/admin/v1/workspaces/${shop.id}/conversations`;
    const statuses = async () => {
      const { conversations } = (await owner.call('GET', `${base}?view=all`)).json();
      return conversations.map(({ status }: { status: string }) => status);
    };
    const [first] = (await owner.call('GET', `${base}?view=all`)).json().conversations;
    await owner.call('PATCH', `${base}/${first.id}`, { status: 'resolved' });
    const { page, own } = await board.visit(`${shop.path}?view=all`, { cookie: owner.cookie });
    await row(page, 'Priya Nair').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('e');
    await page.locator('.p-toast').getByText('2 conversations resolved, 1 was resolved already').waitFor();
    expect(await statuses()).toEqual(['resolved', 'resolved', 'resolved']);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Shift+O');
    await expect.poll(statuses).toEqual(['open', 'open', 'open']);
    await own.close();
  });

  test('the undo of a bulk change can be pressed before the server has begun it', async () => {
    const shop = await openShop();
    const owner = await shop.person('owner');
    const { page, own } = await board.visit(`${shop.path}?view=waiting`, { cookie: owner.cookie });
    await row(page, 'Ann Lee').waitFor();
    const held: (() => Promise<void>)[] = [];
    await own.route('**/conversation-actions', (route) => {
      held.push(() => route.fallback());
    });
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.locator('.p-toast').getByText('Resolving').waitFor();
    await page.keyboard.press('z');
    await expect.poll(() => held.length).toBe(1);
    for (const release of held) await release();
    const waiting = async () => {
      const path = `/admin/v1/workspaces/${shop.id}/conversation-counts`;
      return (await owner.call('GET', path)).json().views.waiting;
    };
    const undone = () =>
      database
        .selectFrom('conversation_action')
        .select('status')
        .where('workspace_id', '=', shop.id)
        .execute();
    await expect.poll(undone).toEqual([{ status: 'undone' }]);
    expect(await waiting()).toBe(7);
    await expect.poll(() => rows(page).count()).toBe(7);
    await own.close();
  });

  test('a refused change is taken back, said in the row, and done by a key', async () => {
    const shop = await openShop();
    const agent = await shop.person('agent');
    let isRefused = true;
    const { page, own } = await board.visit(shop.path, { cookie: agent.cookie });
    await own.route('**/conversations/*', (route, request) =>
      isRefused && request.method() === 'PATCH'
        ? route.fulfill({
            status: 409,
            json: { detail: 'It is locked.', code: 'locked', request_id: 'req_1' },
          })
        : route.fallback(),
    );
    await row(page, 'Ann Lee').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByText('Not resolved: It is locked.').waitFor();
    // There is nothing to take back.
    await expect.poll(() => page.locator('.p-toast').count()).toBe(0);
    isRefused = false;
    await page.keyboard.press('y');
    await row(page, 'Ann Lee').waitFor({ state: 'detached' });
    await own.close();
  });

  test('a filter becomes a view with its count, kept in the address, and moves by keys', async () => {
    const shop = await openShop();
    const agent = await shop.person('agent');
    const { page, own } = await board.visit(`${shop.path}?view=open&tag=trade`, { cookie: agent.cookie });
    await row(page, 'Hollybank School').waitFor();
    expect(await rows(page).count()).toBe(1);
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name }).first().waitFor();
    };
    await save('Trade');
    await expect.poll(() => new URL(page.url()).searchParams.get('saved')).toMatch(/^view_/);
    await page.getByRole('heading', { level: 1, name: 'Trade' }).waitFor();
    await page.goto(`${page.url().split('?')[0]}?view=open&tag=returns-eu`);
    await save('Returns');
    const links = () => page.locator('.p-view-line a').allTextContents();
    await expect.poll(links).toEqual(['Trade1', 'Returns1']);
    await page.locator('.p-view-line a').last().focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(links).toEqual(['Returns1', 'Trade1']);
    await own.close();
  });

  test('a viewer reads, and is offered nothing that changes conversations', async () => {
    const shop = await openShop();
    const viewer = await shop.person('viewer');
    const { page, own } = await board.visit(shop.path, { cookie: viewer.cookie });
    await row(page, 'Ann Lee').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('e');
    await page.getByRole('option', { name: 'Ann Lee', selected: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Selected conversations' }).count()).toBe(0);
    await own.close();
  });

  test('a list that could not be read again says so, and is current once it can be', async () => {
    const shop = await openShop();
    const [ann, ben] = [await shop.person('agent', 'ann'), await shop.person('agent', 'ben')];
    const { page, own } = await board.visit(`${shop.path}?view=open`, { cookie: ann.cookie });
    await row(page, 'Jo Park').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    let isDown = true;
    await page.route('**/conversations?*', (route) => (isDown ? route.abort() : route.continue()));
    await ben.call('PATCH', `/admin/v1/workspaces/${shop.id}/conversations/${shop.ids.at(-1)}`, {
      status: 'resolved',
    });
    const stale = page.getByText('The list may be out of date');
    await stale.waitFor();
    expect(await row(page, 'Priya Nair').count()).toBe(1);
    isDown = false;
    await row(page, 'Priya Nair').waitFor({ state: 'detached' });
    await stale.waitFor({ state: 'detached' });
    await own.close();
  });

  test('a list that does not load says why and loads on a press', async () => {
    const shop = await openShop();
    const agent = await shop.person('agent');
    const path = `GET /admin/v1/workspaces/${shop.id}/conversations`;
    let isDown = true;
    const { page, own } = await board.visit(shop.path, {
      cookie: agent.cookie,
      answers: {
        [path]: async (request) => {
          if (isDown) return { status: 403, json: { detail: 'Not now.', code: 'no', request_id: 'req_9' } };
          const answer = await agent.call(
            'GET',
            new URL(request.url()).pathname + new URL(request.url()).search,
          );
          return { json: answer.json() };
        },
      },
    });
    await page.getByText('Not now.').waitFor();
    isDown = false;
    await page.reload();
    await row(page, 'Ann Lee').waitFor();
    await own.close();
  });
});
