import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../../../helpers/servers/browser/open-browser.ts';
import {
  answers,
  askOn,
  field,
  openVisits,
  type VisitedPage,
  violationsOn,
} from '../../../helpers/servers/browser/open-visits.ts';

const question = 'How many working days until parcels arrive?';
const hostile = `body * { position: static !important; float: left; margin: 30px !important; padding: 20px !important;
  transform: rotate(4deg) !important; filter: blur(3px) !important; opacity: 0.2 !important; contain: paint !important;
  font: italic 40px/4 fantasy !important; letter-spacing: 9px !important; text-transform: uppercase !important;
  text-indent: 5em !important; color: red !important; pointer-events: none !important; direction: rtl !important;
  white-space: pre !important; cursor: none !important; height: 10px !important }
  body button, body section, header, footer { display: none !important; border: 9px solid red !important }`;
/** Evaluates an expression on an element of the open chat. */
const styleOf = (page: VisitedPage, selector: string, property: string) =>
  page.locator(selector).evaluate((element, name) => {
    const { defaultView: view } = element.ownerDocument;
    return view?.getComputedStyle(element).getPropertyValue(name);
  }, property);

describe.skipIf(chromiumPath === undefined)('in Chromium (skipped where it is not installed)', async () => {
  if (chromiumPath === undefined) return;
  const { server, browser, visit } = await openVisits();

  test("a page's global styles do not affect it", async () => {
    const { own, page } = await visit({ shop: await server.openShop() });
    await page.route('**/site.css', (route) => route.fulfill({ contentType: 'text/css', body: hostile }));
    await page.reload();
    const button = page.locator('.launcher');
    await button.waitFor();
    await expect
      .poll(() => button.boundingBox(), { timeout: 5_000 })
      .toEqual({ x: 1_124, y: 724, width: 56, height: 56 });
    await button.click();
    await askOn(page, question);
    await expect
      .poll(() => page.locator('.panel').boundingBox())
      .toMatchObject({ x: 780, width: 400, height: 680 });
    const shown = '.message.assistant:not(.greeting) .body p:first-child';
    const expected = {
      'font-size': '15px',
      'font-style': 'normal',
      'letter-spacing': 'normal',
      'text-transform': 'none',
      'text-indent': '0px',
      'white-space': 'normal',
      'pointer-events': 'auto',
      direction: 'ltr',
      color: 'rgb(26, 29, 35)',
    };
    for (const [property, value] of Object.entries(expected))
      expect(await styleOf(page, shown, property), property).toBe(value);
    const element = 'parley-widget';
    expect([await styleOf(page, element, 'opacity'), await styleOf(page, element, 'filter')]).toEqual([
      '1',
      'none',
    ]);
    await own.close();
  });

  test('a page that hides undefined elements shows it', async () => {
    const { own, page } = await visit({ shop: await server.openShop() });
    const css = ':not(:defined) { display: none !important }';
    await page.route('**/site.css', (route) => route.fulfill({ contentType: 'text/css', body: css }));
    await page.reload();
    await page.locator('.launcher').click();
    await field(page).waitFor();
    await own.close();
  });

  test.each(['transform: scale(1)', 'filter: blur(0)', 'contain: paint'])(
    'stays in the corner of the screen on a long page whose body has %s',
    async (rule) => {
      const { own, page } = await visit({ shop: await server.openShop() });
      const css = `body { ${rule}; height: 3000px; margin: 0 }`;
      await page.route('**/site.css', (route) => route.fulfill({ contentType: 'text/css', body: css }));
      await page.reload();
      const corner = { x: 1_124, y: 724, width: 56, height: 56 };
      const button = page.locator('.launcher');
      await expect.poll(() => button.boundingBox()).toEqual(corner);
      await page.evaluate('scrollTo(0, 900)');
      await expect.poll(() => button.boundingBox()).toEqual(corner);
      await button.click();
      await expect.poll(() => page.locator('.panel').boundingBox()).toMatchObject({ x: 780, height: 680 });
      await page.mouse.move(10, 10);
      await page.evaluate(`document.body.replaceWith(document.body.cloneNode(false))`);
      await expect.poll(() => button.boundingBox()).toEqual(corner);
      await own.close();
    },
  );

  test('is drawn below overlays of the page, unless the page is transformed', async () => {
    const { own, page } = await visit({ shop: await server.openShop() });
    await page.locator('.launcher').waitFor();
    expect(await page.locator('parley-widget').getAttribute('popover')).toBeNull();
    await own.close();
  });

  test('a page with a nonce-based policy needs nothing else', async () => {
    const { own, page, complaints } = await visit({ shop: await server.openShop() });
    await page.goto(`${page.url()}&trusts=nonce`);
    await page.locator('.launcher').click();
    await askOn(page, question);
    await answers(page).locator('.tools').waitFor();
    expect(complaints).toEqual([]);
    await own.close();
  });

  test('reappears with its messages, once, on a page that replaces its body', async () => {
    const { own, page } = await visit({ shop: await server.openShop() });
    await page.locator('.launcher').click();
    await askOn(page, question);
    const takeAway = `document.body.replaceWith(document.createElement('body'))`;
    const addTag = `{
      const tag = document.createElement('script');
      tag.src = '${server.address}/widget.js';
      tag.dataset.token = 'pub_other';
      document.body.append(tag);
    }`;
    for (const then of ['', addTag, `Parley('open')`, `${addTag};${addTag}`]) {
      await page.evaluate(`${takeAway};${then}`);
      await answers(page).locator('.body').waitFor();
    }
    expect(await page.locator('parley-widget').count()).toBe(1);
    await own.close();
  });

  test('a page that removes it gets it back only by its tag or a call', async () => {
    const { own, page } = await visit({ shop: await server.openShop() });
    await page.locator('.launcher').waitFor();
    const widget = page.locator('parley-widget');
    await page.evaluate(
      `document.querySelector('parley-widget').remove(); document.documentElement.append('')`,
    );
    expect(await widget.count()).toBe(0);
    await page.evaluate(`Parley('open')`);
    await field(page).waitFor();
    expect(await widget.count()).toBe(1);
    await own.close();
  });

  test('uses all of a small screen, and the space above a soft keyboard', async () => {
    const { own, page } = await visit({
      shop: await server.openShop(),
      context: { viewport: { width: 320, height: 480 }, isMobile: true, hasTouch: true },
    });
    await page.locator('.launcher').tap();
    const panel = page.locator('.panel');
    await expect.poll(() => panel.boundingBox()).toEqual({ x: 0, y: 0, width: 320, height: 480 });
    expect(await field(page).evaluate((input) => input.matches(':focus'))).toBe(false);
    expect(await page.locator('.scroller').evaluate((place) => place.matches(':focus'))).toBe(true);
    await page.evaluate(`{
      Object.defineProperty(visualViewport, 'height', { value: 220, configurable: true });
      Object.defineProperty(visualViewport, 'offsetTop', { value: 40, configurable: true });
      visualViewport.dispatchEvent(new Event('resize'));
    }`);
    await expect.poll(() => panel.boundingBox()).toEqual({ x: 0, y: 40, width: 320, height: 220 });
    const written = await field(page).boundingBox();
    expect((written?.y ?? 0) + (written?.height ?? 0)).toBeLessThan(260);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await own.close();
    const zoomed = await visit({
      shop: await server.openShop(),
      context: { viewport: { width: 640, height: 400 } },
    });
    await zoomed.page.locator('.launcher').click();
    await expect
      .poll(() => zoomed.page.locator('.panel').boundingBox())
      .toMatchObject({ y: 0, height: 400, width: 400 });
    expect(await violationsOn(zoomed.page)).toEqual([]);
    await zoomed.own.close();
  });

  test('respects reduced motion', async () => {
    const { own, page } = await visit({
      shop: await server.openShop(),
      context: { reducedMotion: 'reduce' },
    });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/widget/assets/**', (route) => held.then(() => route.continue()));
    await page.locator('.launcher').click();
    await page.locator('.launch.loading').waitFor();
    const moving = `document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime > 100).length`;
    expect(await page.evaluate(moving)).toBe(0);
    letGo();
    await field(page).waitFor();
    expect(await page.evaluate(moving)).toBe(0);
    await own.close();
  });

  test('is not printed on other pages, and the hosted page prints only messages, dark on white', async () => {
    const shop = await server.openShop();
    const { own, page } = await visit({ shop });
    await page.locator('.launcher').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.launcher').isVisible()).toBe(false);
    await server.openShop({ slug: 'printed', theme: 'dark' }, {}, 'hosted');
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`${server.address}/c/printed`);
    await askOn(page, question);
    expect(await styleOf(page, '.who h1', 'color')).toBe('rgb(236, 238, 242)');
    await page.emulateMedia({ media: 'print' });
    expect(await styleOf(page, '.who h1', 'color')).toBe('rgb(26, 29, 35)');
    expect(await styleOf(page, 'html', 'background-color')).toBe('rgb(255, 255, 255)');
    for (const hidden of ['.footer', '.tools']) expect(await page.locator(hidden).isVisible()).toBe(false);
    expect(await answers(page).locator('.body').isVisible()).toBe(true);
    await own.close();
  });

  test('keyboard focus stays in the chat when the pressed element disappears', async () => {
    const shop = await server.openShop({ suggestions: [question] });
    const { own, page } = await visit({ shop });
    const isWriting = () => field(page).evaluate((input) => input.matches(':focus'));
    await page.locator('.launcher').click();
    await page.getByRole('button', { name: question }).press('Enter');
    await expect.poll(isWriting).toBe(true);
    await answers(page).locator('.tools').waitFor();
    await page.getByRole('button', { name: 'Talk to a person' }).press('Enter');
    await expect.poll(isWriting).toBe(true);
    await page.getByRole('textbox', { name: 'Your e-mail address' }).fill('lin@customer.example');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('We will write to lin@customer.example').waitFor();
    await expect.poll(isWriting).toBe(true);
    await own.close();
  });

  test('a message that is too long is neither cut off nor sent', async () => {
    const { own, page } = await visit({ shop: await server.openShop() });
    await page.locator('.launcher').click();
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await field(page).fill('🪴'.repeat(4_000));
    expect(await send.isEnabled()).toBe(true);
    await field(page).fill('a'.repeat(4_001));
    await page.getByRole('alert').getByText('At most 4000 characters fit into one message.').waitFor();
    expect(await send.isEnabled()).toBe(false);
    await page.keyboard.press('Enter');
    expect(await page.locator('.message.user').count()).toBe(0);
    expect(await field(page).inputValue()).toHaveLength(4_001);
    await page.keyboard.press('Backspace');
    expect([await send.isEnabled(), await page.locator('.notice').isVisible()]).toEqual([true, false]);
    await own.close();
  });

  test('the script of a hosted page keeps text and calls from before it loaded', async () => {
    const slug = 'slow';
    await server.openShop({ slug }, {}, 'hosted');
    const own = await browser.newContext();
    const page = await own.newPage();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/widget/assets/page-*.js', (route) => held.then(() => route.continue()));
    await page.goto(`${server.address}/c/${slug}?q=Unasked`, { waitUntil: 'commit' });
    await field(page).fill('Half a que');
    letGo();
    await page.locator('.send:not(.plain)').waitFor();
    expect(await field(page).inputValue()).toBe('Half a que');
    expect(await field(page).evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await page.locator('.message.user').count()).toBe(0);
    await own.close();
  });
});
