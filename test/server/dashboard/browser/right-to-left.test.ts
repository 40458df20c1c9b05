import { afterAll, describe, expect, test } from 'vitest';
import { connectors } from '../../../../connectors/registry.ts';
import { chromiumPath } from '../../../helpers/servers/browser/open-browser.ts';
import { findBarriers } from '../../../helpers/servers/browser/open-dashboard.ts';
import { openSignedInPages } from '../../../helpers/servers/browser/open-signed-in-page.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)('the dashboard from right to left, in Chromium', async () => {
  if (chromiumPath === undefined) return;
  const server = await openTestServer({ runtime: { connectors } });
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const workspace = await server.makeWorkspace({ name: 'Garden' });
  const { id } = await server.addDocument(workspace.id, '# Delivery\n\nTo Norway it takes three days.');
  const { cookie } = await signInPerson(server, {
    email: 'maya@shop.example',
    role: 'owner',
    ownerId: workspace.owner,
  });
  const pages = await openSignedInPages({ address, cookie });
  afterAll(() => pages.close());
  const shots = process.env.PARLEY_SHOTS;

  test.each([
    ['the documents', 'knowledge/documents', 'table'],
    ['an open drawer', 'knowledge/documents?add=text', '[role="dialog"]'],
    ['a document', `knowledge/documents/${id}`, 'main h1'],
    ['the wizard', 'channels/new/slack?step=guide&name=Desk', '.p-guide'],
    ['a form of settings', 'settings/general', 'main form'],
  ])(
    'mirrors %s, without a barrier or sideways scrolling',
    async (name, path, shown) => {
      for (const width of [360, 1_440]) {
        const { page, context } = await pages.visit(`/w/${workspace.id}/${path}`, {
          viewport: { width, height: 900 },
        });
        await page.route('**/dashboard/w/**', async (route) => {
          const response = await route.fetch();
          await route.fulfill({
            response,
            body: (await response.text()).replace('dir="ltr"', 'dir="rtl"'),
          });
        });
        await page.reload();
        await page.locator(shown).first().waitFor();
        if (shots !== undefined)
          await page.screenshot({ path: `${shots}/rtl-${name.replaceAll(' ', '-')}-${width}.png` });
        const measured = await page.evaluate(`({
        direction: getComputedStyle(document.querySelector('main')).direction,
        scrollWidth: document.documentElement.scrollWidth,
        cut: [...document.querySelectorAll('main button, main a, [role="dialog"] button')]
          .filter((each) => each.getClientRects().length > 0 && !each.closest('[style*="overflow"], table, pre'))
          .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
          .map((each) => each.outerHTML.slice(0, 120)),
      })`);
        expect({ width, measured, found: await findBarriers(page) }).toEqual({
          width,
          measured: { direction: 'rtl', scrollWidth: width, cut: [] },
          found: [],
        });
        // The rail is at the start of the line: on the right.
        if (width > 1_000) {
          const rail = await page.getByRole('navigation').first().boundingBox();
          expect(rail?.x).toBeGreaterThan(width / 2);
        }
        await context.close();
      }
    },
    180_000,
  );
});
