import { describe, expect, test } from 'vitest';
import { heldWriter } from '../../../helpers/models/held-writer.ts';
import { chromiumPath, chromiumPaths, openBrowser } from '../../../helpers/servers/browser/open-browser.ts';
import {
  answers,
  askOn,
  field,
  openVisits,
  violationsOn,
} from '../../../helpers/servers/browser/open-visits.ts';
import { openShopSite } from '../../../helpers/servers/browser/shop-site.ts';
import { openCuttableLine } from '../../../helpers/servers/network/open-cuttable-line.ts';

const question = 'How many working days until parcels arrive?';
/** A document that is related to `vague` and contains no answer to it. */
const nearMiss = 'Lamps are wiped with a dry cloth. The tank lid may go into the dishwasher.';
const vague = 'May lamps be wiped with soap and water?';
/** With these limits, whatever is found may be the answer. */
const unsureOfAll = { answer_from: 0.9, maybe_from: 0.05 };
/** With these limits, what is found for `vague` is only related. */
const sureOnly = { answer_from: 0.9, maybe_from: 0.9 };
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(chromiumPath === undefined)('in Chromium (skipped where it is not installed)', async () => {
  if (chromiumPath === undefined) return;
  const { server, browser, visit } = await openVisits();

  test('adds one element that moves nothing, under a strict policy, and answers with a source', async () => {
    const shop = await server.openShop();
    const { page, complaints, own } = await visit({ shop });
    await page.locator('.launcher').waitFor();
    expect(await page.evaluate('[...document.body.children].map(({ tagName }) => tagName)')).toEqual([
      'NAV',
      'MAIN',
      'PARLEY-WIDGET',
    ]);
    const requested = await page.evaluate(
      'performance.getEntriesByType("resource").filter(({ name }) => name.includes("/widget/assets/")).length',
    );
    expect(requested).toBe(0);
    const shift =
      'new Promise((resolve) => { new PerformanceObserver((list) => resolve(list.getEntries().length)).observe({ type: "layout-shift", buffered: true }); setTimeout(() => resolve(0), 300) })';
    expect(await page.evaluate(shift)).toBe(0);
    await page.locator('.launcher').click();
    await askOn(page, question);
    expect(await answers(page).locator('.body').innerText()).toContain('three working days');
    await page.locator('.sources .card').first().waitFor();
    for (const tool of await page.locator('.tool').all())
      expect(await tool.boundingBox()).toMatchObject({
        width: expect.closeTo(36),
        height: expect.closeTo(36),
      });
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await own.close();
  });

  test('restores the messages after a reload, and stores a rating with a comment', async () => {
    const shop = await server.openShop();
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await askOn(page, question);
    await page.getByRole('button', { name: 'Not helpful' }).click();
    await page.getByRole('textbox', { name: 'What was wrong or missing?' }).fill('No date.');
    await page.getByRole('button', { name: 'Send comment' }).click();
    await page.getByText('Thank you.').waitFor();
    await page.reload();
    await page.locator('.launcher').click();
    await answers(page).waitFor();
    expect(await page.locator('.message.user').innerText()).toContain(question);
    expect(await page.getByRole('button', { name: 'Not helpful' }).getAttribute('aria-pressed')).toBe('true');
    const { feedback, feedback_comment } = await server.runtime.database.kysely
      .selectFrom('message')
      .select(['feedback', 'feedback_comment'])
      .where('workspace_id', '=', shop.id)
      .where('role', '=', 'assistant')
      .executeTakeFirstOrThrow();
    expect([feedback, feedback_comment]).toEqual(['down', 'No date.']);
    await own.close();
  });

  test('an answer can be rated, and a handover message cannot, also after a reload', async () => {
    const shop = await server.openShop();
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await askOn(page, question);
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    await page.locator('.status.waiting').waitFor();
    expect(await answers(page).count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Not helpful' }).count()).toBe(1);
    await page.reload();
    await page.locator('.launcher').click();
    await answers(page).nth(1).waitFor();
    expect(await page.getByRole('button', { name: 'Not helpful' }).count()).toBe(1);
    await own.close();
  });

  test('an unsure answer is a card that asks whether it helped, and offers a person', async () => {
    const shop = await server.openShop();
    await server.operate('PATCH', `/workspaces/${shop.id}`, { settings: unsureOfAll });
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await askOn(page, 'Are parcels quick?');
    const card = page.locator('.message.maybe .unsure');
    await card.getByText('I am not sure; this may be it:').waitFor();
    expect(await card.locator('mark').innerText()).toContain('three working days');
    expect(await card.locator('.from').count()).toBe(1);
    for (const button of await page.locator('.steps button').all())
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'That helped' }).click();
    await page.locator('.helped', { hasText: 'Thank you.' }).waitFor();
    await page.reload();
    await page.locator('.launcher').click();
    await page.locator('.helped').waitFor();
    expect(await page.locator('.steps').count()).toBe(0);
    const stored = await server.runtime.database.kysely
      .selectFrom('message')
      .select(['tier', 'feedback'])
      .where('workspace_id', '=', shop.id)
      .where('role', '=', 'assistant')
      .execute();
    expect(stored).toEqual([{ tier: 'maybe', feedback: 'up' }]);
    await askOn(page, 'Are parcels slow?');
    await page.getByRole('button', { name: 'Ask a person' }).click();
    await page.locator('.status.waiting').waitFor();
    expect(await page.locator('.steps .person').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'That helped' }).isVisible()).toBe(true);
    await own.close();
  });

  test('an unsure answer names the heading and the age of its section, and one button asks for a person', async () => {
    const shop = await server.openShop();
    await server.operate('PATCH', `/workspaces/${shop.id}`, { settings: unsureOfAll });
    const seeds = 'Nothing shows within 21 days of planting? We replace the pod free of charge.';
    await server.addDocument(
      shop.id,
      `# Warranty and repairs\n\n## Seeds that do not come up\n\n${seeds}`,
      [],
      { contentType: 'text/markdown' },
    );
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    const talk = page.getByRole('button', { name: 'Talk to a person' });
    await talk.waitFor();
    await askOn(page, 'Are dead pods of seeds replaced?');
    const card = page.locator('.message.maybe .unsure').last();
    await card.locator('.heading', { hasText: 'Seeds that do not come up' }).waitFor();
    expect(await card.locator('.from').innerText()).toBe('Warranty and repairs');
    expect(await card.locator('time').innerText()).toBe('changed today');
    expect(await talk.isVisible()).toBe(false);
    await askOn(page, 'Are parcels slow?');
    expect(await page.getByRole('button', { name: 'Ask a person' }).count()).toBe(1);
    expect(await talk.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'That helped' }).last().click();
    await talk.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await own.close();
  });

  test('an agent takes over and replies live by name, and unseen replies are counted while the chat is closed', async () => {
    const shop = await server.openShop();
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    await page.locator('.status.waiting').waitFor();
    expect(await page.getByRole('button', { name: 'Talk to a person' }).isVisible()).toBe(false);
    const dot = () =>
      page.evaluate(`(() => {
        const status = document.querySelector('parley-widget').shadowRoot.querySelector('.status');
        return getComputedStyle(status, '::before').backgroundColor;
      })()`);
    expect([await dot(), await field(page).getAttribute('placeholder')]).toEqual([
      'rgb(178, 106, 0)',
      'Write a message…',
    ]);
    const { id } = await server.runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', shop.id)
      .executeTakeFirstOrThrow();
    await page.getByRole('textbox', { name: 'Your e-mail address' }).fill('lin@customer.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('We will write to lin@customer.example').waitFor();
    await shop.reply(id, 'Hello, **Ada** here.');
    await page.locator('.message.agent strong').waitFor();
    await page.getByText('You are talking to Ada Lovelace.').waitFor();
    expect(await dot()).toBe('rgb(29, 122, 74)');
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close the chat' }).first().click();
    await shop.reply(id, 'Are you still there?');
    await page.locator('.badge', { hasText: '1' }).waitFor();
    expect(await page.locator('.launcher').getAttribute('aria-label')).toBe('Open the chat, 1 unread');
    await page.reload();
    await page.locator('.badge', { hasText: '1' }).waitFor();
    await page.locator('.launcher').click();
    await page.getByText('Are you still there?').waitFor();
    await page.locator('.badge').waitFor({ state: 'hidden' });
    // The conversation is with the assistant again when the page opens, and the agent still writes.
    await server.runtime.database.kysely
      .updateTable('conversation')
      .set({ status: 'open' })
      .where('id', '=', id)
      .where('workspace_id', '=', shop.id)
      .execute();
    await page.reload();
    await page.locator('.launcher').click();
    await page.getByText('Are you still there?').waitFor();
    await shop.reply(id, 'One more thing.');
    await page.locator('.message.agent', { hasText: 'One more thing.' }).waitFor();
    await own.close();
  });

  test('an agent who writes without being asked is heard in the open chat', async () => {
    const shop = await server.openShop();
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    const opened = page.waitForResponse(/\/events$/);
    await askOn(page, question);
    await opened;
    const { id } = await server.runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', shop.id)
      .executeTakeFirstOrThrow();
    await shop.reply(id, 'Ada here: yours comes today.');
    await page.locator('.message.agent', { hasText: 'yours comes today' }).waitFor();
    await page.getByText('You are talking to Ada Lovelace.').waitFor();
    await own.close();
  });

  test('shows no button if the domain is not allowed, and the page works', async () => {
    const shop = await server.openShop({ allowed_domains: ['shop.example'] });
    const { page, complaints, own } = await visit({ shop });
    await expect.poll(() => complaints.join('\n')).toContain('Add the domain to allowed_domains');
    expect(await page.locator('parley-widget').count()).toBe(0);
    await page.locator('#own').click();
    await own.close();
  });

  test.each(chromiumPaths)(
    'shows an error and a retry button if the chat cannot be loaded (%s)',
    async (path) => {
      const shop = await server.openShop();
      const other = await openBrowser(path);
      const { page, own } = await visit({ shop, browser: other });
      const failed = new Set<string>();
      await page.route('**/widget/assets/**', (route) => {
        failed.add(route.request().url());
        return route.abort();
      });
      await page.locator('.launcher').click();
      await page.getByText('The chat cannot be reached just now.').waitFor();
      await page.locator('#own').click();
      await page.unroute('**/widget/assets/**');
      const again = page.waitForRequest('**/widget/assets/chat-*');
      await page.locator('.launcher').click();
      await field(page).waitFor();
      expect(failed.size).toBeGreaterThan(0);
      expect(failed).not.toContain((await again).url());
      await own.close();
      await other.close();
    },
  );

  test.each([
    { screen: 'a desk', width: 1_200, isModal: false },
    { screen: 'a phone', width: 400, isModal: true },
  ])(
    'works with the keyboard alone on $screen: opening, asking, moving around and leaving',
    async ({ width, isModal }) => {
      const shop = await server.openShop();
      const { page, own } = await visit({ shop, context: { viewport: { width, height: 800 } } });
      await page.locator('.launcher').waitFor();
      await page.locator('#own').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await field(page).waitFor();
      await page.keyboard.type(question);
      await page.keyboard.press('Enter');
      await answers(page).locator('.tools').waitFor();
      const inside =
        'document.activeElement.tagName + " " + (document.activeElement.shadowRoot?.activeElement?.className ?? "")';
      const focused = new Set<unknown>();
      for (let presses = 0; presses < 14; presses += 1) {
        await page.keyboard.press('Tab');
        focused.add(await page.evaluate(inside));
      }
      // Only a full-screen chat keeps the focus; next to a page, Tab moves on to the page.
      expect(await page.locator('.panel').getAttribute('aria-modal')).toBe(String(isModal));
      expect([...focused].every((place) => String(place).startsWith('PARLEY-WIDGET'))).toBe(isModal);
      expect([...focused].join()).toContain('tool');
      await field(page).focus();
      await page.keyboard.press('Escape');
      expect(await page.locator('.panel').isVisible()).toBe(false);
      expect(await page.evaluate(inside)).toBe('PARLEY-WIDGET launcher');
      await own.close();
    },
  );

  test('fills the screen on a phone, and is mirrored in Arabic', async () => {
    const shop = await server.openShop();
    const { page, own } = await visit({
      shop,
      lang: 'ar',
      context: { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true },
    });
    await page.locator('.launcher').tap();
    await page.locator('.panel').waitFor();
    await expect
      .poll(() => page.locator('.panel').boundingBox())
      .toEqual({ x: 0, y: 0, width: 390, height: 800 });
    expect(await page.locator('.chat').getAttribute('dir')).toBe('rtl');
    const [send, input] = [await page.locator('.send').boundingBox(), await field(page).boundingBox()];
    expect(send?.x).toBeLessThan(input?.x ?? 0);
    await askOn(page, question);
    await answers(page).locator('.tools').waitFor();
    for (const button of await page.locator('.tool, .close, .send').all())
      expect(await button.boundingBox()).toMatchObject({ width: 44, height: 44 });
    expect(await violationsOn(page)).toEqual([]);
    await own.close();
  });

  test('the page can call it, also before it has loaded', async () => {
    const shop = await server.openShop();
    const calls = `window.heard=[];for(const name of ['ready','open','close','message'])Parley('on',name,(detail)=>heard.push([name,detail?.role]));Parley('ask',${JSON.stringify(question)})`;
    const { page, own } = await visit({ shop, calls });
    await answers(page).locator('.tools').waitFor();
    await page.evaluate(`Parley('close')`);
    await expect
      .poll(() => page.evaluate('heard'))
      .toEqual([
        ['ready', undefined],
        ['open', undefined],
        ['message', 'assistant'],
        ['close', undefined],
      ]);
    await page.evaluate(
      `Parley('on', 'ready', () => heard.push('late')); Parley('on', 'open', () => heard.push('early'))`,
    );
    await expect.poll(() => page.evaluate('heard.slice(4)')).toEqual(['late']);
    await page.evaluate(`Parley('set', { accent: '#aa0000', theme: 'dark' })`);
    const colour =
      'getComputedStyle(document.querySelector("parley-widget").shadowRoot.querySelector(".launcher")).backgroundColor';
    expect(await page.evaluate(colour)).toBe('rgb(170, 0, 0)');
    await page.evaluate(`Parley('open')`);
    const link = `(() => {
      const root = document.querySelector('parley-widget').shadowRoot;
      const place = root.querySelector('.card .mark');
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.fillStyle = getComputedStyle(place).color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    })()`;
    const [red = 0, green = 0, blue = 0] = await page.evaluate<number[]>(link);
    expect(red).toBeGreaterThan(2 * Math.max(green, blue, 60));
    await page.evaluate(`Parley('logout')`);
    await expect.poll(() => answers(page).count()).toBe(0);
    await own.close();
  });

  test('hosted page: with scripts, a question in its URL, and no indexing by search engines', async () => {
    const slug = `garden-${Date.now()}`;
    await server.openShop({ slug, noindex: true, title: 'Garden help' }, {}, 'hosted');
    const own = await browser.newContext();
    const page = await own.newPage();
    const complaints: string[] = [];
    page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())));
    const response = await page.goto(`${server.address}/c/${slug}?q=${encodeURIComponent(question)}`);
    expect(response?.headers()['x-robots-tag']).toBe('noindex');
    expect(response?.headers()['content-security-policy']).not.toContain('unsafe');
    await answers(page).locator('.tools').waitFor();
    expect(await page.title()).toBe('Garden help');
    expect(await violationsOn(page)).toEqual([]);
    const [cookie] = await own.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: `/c/${slug}` });
    await page.reload();
    await answers(page).waitFor();
    expect(await answers(page).count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.goto(`${server.address}/c/${slug}?lang=tr&q=${encodeURIComponent(question)}`);
    await expect.poll(() => page.url()).toBe(`${server.address}/c/${slug}?lang=tr`);
    await expect.poll(() => answers(page).locator('.tools').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Gönder' }).count()).toBe(1);
    await own.close();
  });

  test('shows related pages with an agent button, also after a reload, until an agent is requested', async () => {
    const shop = await server.openShop({}, sureOnly);
    await server.addDocument(shop.id, nearMiss);
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await askOn(page, vague);
    const related = page.locator('.related');
    const ask = related.getByRole('button', { name: 'Talk to a person' });
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      if (isReloaded) await page.locator('.launcher').click();
      await related.waitFor();
      expect(await related.locator('.caption').innerText()).toBe('This may help');
      expect(await related.locator('.card').count()).toBeGreaterThan(0);
      expect(await violationsOn(page)).toEqual([]);
    }
    await ask.click();
    await page.locator('.status.waiting').waitFor();
    expect(await ask.isVisible()).toBe(false);
    await own.close();
  });

  test('adds no landmark and no violation next to a page with its own header and footer', async () => {
    const shop = await server.openShop();
    const { page, own } = await visit({ shop });
    await page.evaluate(`{
      const header = Object.assign(document.createElement('header'), { textContent: 'Pottle & Sprig' });
      const footer = Object.assign(document.createElement('footer'), { textContent: 'Imprint' });
      document.body.prepend(header);
      document.body.append(footer);
    }`);
    const before = await violationsOn(page);
    await page.locator('.launcher').click();
    await askOn(page, question);
    await answers(page).locator('.card').first().waitFor();
    expect(await violationsOn(page)).toEqual(before);
    expect(await page.getByRole('banner').count()).toBe(1);
    expect(await page.getByRole('contentinfo').count()).toBe(1);
    await own.close();
  });

  test('names a source by its title and host, not by its whole text', async () => {
    const slug = `named-${Date.now()}`;
    const shop = await server.openShop({ slug }, {}, 'hosted');
    await server.addDocument(shop.id, 'Saplings are watered twice a week in summer.', [], {
      title: 'Watering',
      url: 'https://www.shop.example/watering',
    });
    for (const javaScriptEnabled of [true, false]) {
      const own = await browser.newContext({ javaScriptEnabled });
      const page = await own.newPage();
      await page.goto(`${server.address}/c/${slug}`);
      await field(page).fill('How often are saplings watered?');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('link', { name: 'Watering, shop.example', exact: true }).waitFor();
      const columns = await page.evaluate<string>(`(() => {
        const list = document.querySelector('.sources ul');
        const card = list.firstElementChild.cloneNode(true);
        card.querySelector('.name').textContent = 'A title without end '.repeat(20);
        list.append(card);
        return getComputedStyle(list).gridTemplateColumns;
      })()`);
      expect(new Set(columns.split(' ')).size).toBe(1);
      await own.close();
    }
  });

  test('shows complete bullets and numbers of lists', async () => {
    const shop = await server.openShop({ greeting: 'Hello' });
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    await page.locator('.status.waiting').waitFor();
    const { id } = await server.runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', shop.id)
      .executeTakeFirstOrThrow();
    await shop.reply(id, 'Two pots:\n\n- clay\n- tin\n\n1. fill\n2. water');
    const styleOf = (list: string) =>
      page
        .locator(`.agent .body ${list}`)
        .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).listStyleType);
    expect([await styleOf('ul'), await styleOf('ol')]).toEqual(['disc', 'decimal']);
    await own.close();
  });

  test('the initial choice leads to the input field or to an agent', async () => {
    const shop = await server.openShop({ choice_at_start: true });
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await page.getByRole('button', { name: 'Ask the assistant' }).click();
    expect(await field(page).evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await violationsOn(page)).toEqual([]);
    await page.locator('.choice').getByRole('button', { name: 'Talk to a person' }).click();
    await page.locator('.status.waiting').waitFor();
    expect(await page.locator('.choice').isVisible()).toBe(false);
    await own.close();
  });

  test('files can be chosen, dropped and removed, are sent with a message and reach the agents', async () => {
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });
    const shop = await server.openShop({ attachments: true });
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    const clip = page.getByRole('button', { name: 'Attach a file' });
    const send = page.getByRole('button', { name: 'Send', exact: true });
    const alert = page.getByRole('alert');
    const chooses = async (files: ReturnType<typeof file>[]) => {
      const choosing = page.waitForEvent('filechooser');
      await clip.focus();
      await page.keyboard.press('Enter');
      await (await choosing).setFiles(files);
    };
    await chooses([file('notes.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))]);
    await expect
      .poll(() => alert.innerText())
      .toBe('notes.png cannot be sent: pictures, PDF and text files can.');
    await chooses([file('film.png', Buffer.alloc(6 * 2 ** 20))]);
    await expect.poll(() => alert.innerText()).toBe('film.png is too large: at most 5 MB.');
    expect(await send.isDisabled()).toBe(true);
    await chooses([file('film.png', Buffer.alloc(6 * 2 ** 20)), file('notes.png', Buffer.from('<svg/>'))]);
    await expect
      .poll(() => alert.innerText())
      .toBe(
        'film.png is too large: at most 5 MB.\nnotes.png cannot be sent: pictures, PDF and text files can.',
      );
    await chooses(
      ['1.png', '2.png', '3.png', '4.png', '5.png', '6.png', '7.png'].map((name) => file(name, png)),
    );
    await expect.poll(() => alert.innerText()).toBe('6.png, 7.png: At most 5 files go with one message.');
    for (const name of ['1.png', '2.png', '3.png', '4.png', '5.png'])
      await page.getByRole('button', { name: `Remove ${name}` }).press('Enter');
    await chooses([file('pot.png', png), file('lid.png', png)]);
    await expect.poll(() => page.locator('.tray li:not(.busy)').count()).toBe(2);
    expect(await alert.isVisible()).toBe(false);
    expect(await page.locator('[aria-live]').innerText()).toMatch(/is attached\.$/);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove lid.png' }).press('Enter');
    expect(await page.locator('.tray li').count()).toBe(1);
    expect(await field(page).evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['It broke on the way.'], 'story.txt'));
      const chat = document.querySelector('parley-widget').shadowRoot.querySelector('.chat');
      chat.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    await expect.poll(() => page.locator('.tray li:not(.busy)').count()).toBe(2);
    await askOn(page, question);
    expect(await page.locator('.tray').isVisible()).toBe(false);
    await page.locator('.message.assistant .tools').waitFor();
    await chooses([file('pot.png', png)]);
    await expect.poll(() => send.isEnabled()).toBe(true);
    await send.click();
    await page.getByText('Please write your question as text.').first().waitFor();
    await page.reload();
    await page.locator('.launcher').click();
    const sent = page.locator('.message.user .sent');
    await expect.poll(() => sent.count()).toBe(2);
    expect(await sent.allInnerTexts()).toEqual(['pot.png\nstory.txt', 'pot.png']);
    expect(await violationsOn(page)).toEqual([]);
    const said = await server.runtime.database.kysely
      .selectFrom('message')
      .select(['id', 'conversation_id'])
      .where('workspace_id', '=', shop.id)
      .where('role', '=', 'user')
      .orderBy('position')
      .execute();
    const [{ id, conversation_id } = { id: '', conversation_id: '' }] = said;
    const path = `/workspaces/${shop.id}/conversations/${conversation_id}/messages/${id}/attachments`;
    expect((await server.operate('GET', `${path}/0`)).rawPayload.equals(png)).toBe(true);
    expect((await server.operate('GET', `${path}/1`)).payload).toBe('It broke on the way.');
    await own.close();
  });

  test('a pasted picture is attached and discarded on removal, and table cells stay text', async () => {
    const shop = await server.openShop({ attachments: true });
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await field(page).waitFor();
    const kept = () =>
      server.runtime.database.kysely
        .selectFrom('visitor_file')
        .select('name')
        .where('workspace_id', '=', shop.id)
        .execute();
    /** Whether the browser inserts it as text. */
    const paste = (words: Record<string, string>) =>
      page.evaluate<boolean>(`(() => {
        const clipboardData = new DataTransfer();
        const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (letter) => letter.charCodeAt(0));
        clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
        for (const [type, text] of Object.entries(${JSON.stringify(words)})) clipboardData.setData(type, text);
        const field = document.querySelector('parley-widget').shadowRoot.querySelector('textarea');
        const pasting = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        return field.dispatchEvent(pasting);
      })()`);
    await paste({ 'text/html': '<img src="https://shop.example/pot.png">' });
    await page.locator('.tray li:not(.busy)').waitFor();
    expect(await kept()).toEqual([{ name: 'image.png' }]);
    await page.getByRole('button', { name: 'Remove image.png' }).click();
    await expect.poll(kept, { timeout: 5_000 }).toEqual([]);
    expect(await paste({ 'text/html': '<table></table>', 'text/plain': '1\t2' })).toBe(true);
    expect(await page.locator('.tray li').count()).toBe(0);
    await own.close();
  });

  test('shows no file button if attachments are disabled', async () => {
    const { page, own } = await visit({ shop: await server.openShop() });
    await page.locator('.launcher').click();
    await field(page).waitFor();
    expect(await page.locator('.attach').isVisible()).toBe(false);
    await own.close();
  });

  test('hosted page: without scripts, by its form', async () => {
    const slug = `plain-${Date.now()}`;
    const shop = await server.openShop({ slug, suggestions: [question] }, {}, 'hosted');
    const own = await browser.newContext({ javaScriptEnabled: false });
    const page = await own.newPage();
    await page.goto(`${server.address}/c/${slug}`);
    await field(page).fill('Half a que');
    await page.getByRole('button', { name: question }).click();
    expect(await answers(page).locator('.body').innerText()).toContain('three working days');
    expect(await field(page).inputValue()).toBe('Half a que');
    await server.operate('PATCH', `/workspaces/${shop.id}`, { settings: sureOnly });
    await server.addDocument(shop.id, nearMiss);
    await field(page).fill(vague);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect(await page.locator('.related .caption').innerText()).toBe('This may help');
    await page.locator('.related').getByRole('button', { name: 'Talk to a person' }).click();
    await page.locator('.status.waiting').waitFor();
    expect(await page.getByRole('button', { name: 'Talk to a person' }).count()).toBe(0);
    const hint = page.locator('noscript .caption');
    expect([await hint.isVisible(), await hint.textContent()]).toEqual([
      true,
      'Reload the page to see the reply.',
    ]);
    expect(await field(page).getAttribute('placeholder')).toBe('Write a message…');
    const { id } = await server.runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', shop.id)
      .executeTakeFirstOrThrow();
    await shop.reply(id, 'Hello, <b>Ada</b> here.');
    await page.reload();
    expect(await page.locator('.message.agent .body').innerText()).toBe('Hello, <b>Ada</b> here.');
    await own.close();
  });
});

describe.skipIf(chromiumPath === undefined)('in Chromium, while an answer is generated', async () => {
  if (chromiumPath === undefined) return;
  const writer = heldWriter();
  const { server, site, browser } = await openVisits({ writer });

  test('shows words as they arrive, and an answer once if its connection is lost', async () => {
    const line = await openCuttableLine(server.address);
    const shopSite = await openShopSite(line.address);
    const shop = await server.openShop();
    const own = await browser.newContext();
    const page = await own.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`${shopSite.origin}/?token=${shop.publicToken}`);
    await page.locator('.launcher').click();
    await page.locator('textarea').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.message.writing', { hasText: 'Within three' }).waitFor();
    line.cut();
    await page.locator('.typing', { hasText: 'Writing the answer' }).waitFor();
    writer.letGo();
    await page.locator('.body', { hasText: 'Within three days.' }).waitFor();
    await page.locator('.chat:not(.busy)').waitFor();
    expect(await page.locator('.message.assistant:not(.greeting)').count()).toBe(1);
    expect(await page.locator('.message.user').count()).toBe(1);
    await own.close();
    await Promise.all([line.close(), shopSite.close()]);
  });

  test('sends messages that were written offline when the network is back', async () => {
    const shop = await server.openShop();
    const own = await browser.newContext();
    const page = await own.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`${site.origin}/?token=${shop.publicToken}`);
    await page.locator('.launcher').click();
    await page.locator('textarea').waitFor();
    await own.setOffline(true);
    await page.locator('textarea').fill(question);
    await page.keyboard.press('Enter');
    await page.getByText('You are offline.').waitFor();
    await own.setOffline(false);
    await page.locator('.message.writing').waitFor();
    writer.letGo();
    await page.locator('.body', { hasText: 'Within three days.' }).waitFor();
    expect(await page.locator('.notice').isVisible()).toBe(false);
    await own.close();
  });
});
