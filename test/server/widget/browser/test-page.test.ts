import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../../../helpers/servers/browser/open-browser.ts';
import { answers, askOn, openVisits, violationsOn } from '../../../helpers/servers/browser/open-visits.ts';

const question = 'How many working days until parcels arrive?';

describe.skipIf(chromiumPath === undefined)('the test page of a widget, in Chromium', async () => {
  if (chromiumPath === undefined) return;
  const { server, browser } = await openVisits();

  test('shows the widget under a strict policy, for any allowed domains, and answers', async () => {
    const shop = await server.openShop({ title: 'Questions?', allowed_domains: ['shop.example'] });
    const channel = await server.operate('GET', `/workspaces/${shop.id}/channels/${shop.channelId}`);
    const { public_token: token } = channel.json();
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())));
    page.on('pageerror', (error) => void complaints.push(error.message));
    await page.goto(`${server.address}/widget/${token}`);
    expect(await page.title()).toBe('Questions?');
    await page.locator('.launcher').click();
    await askOn(page, question);
    expect(await answers(page).locator('.body').innerText()).toContain('three working days');
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
