import { expect, test } from 'vitest';
import { chromiumPath } from '../../../helpers/servers/browser/open-browser.ts';
import { askOn, openVisits, violationsOn } from '../../../helpers/servers/browser/open-visits.ts';
import { pngBytes, uploadFile } from '../../../helpers/servers/upload-file.ts';

const question = 'How many working days until parcels arrive?';

const { server, visit } = await openVisits();
type Shop = Awaited<ReturnType<typeof server.openShop>>;

async function sendFiles(shop: Shop, content = '') {
  const { id } = await server.runtime.database.kysely
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', shop.id)
    .orderBy('started_at', 'desc')
    .executeTakeFirstOrThrow();
  const conversation = `/workspaces/${shop.id}/conversations/${id}`;
  const token = server.runtime.installation.adminToken;
  const upload = async (name: string, bytes: Uint8Array) =>
    (await uploadFile(server.app, { url: `/admin/v1${conversation}/files`, token, name, bytes })).json();
  const files = [
    await upload('Plan of the garden.png', pngBytes),
    await upload('Lieferschein <b>.txt', Buffer.from('Dear Ann')),
  ];
  const sent = await server.operate('POST', `${conversation}/reply`, {
    content,
    file_ids: files.map((file) => file.id),
    author_email: 'ada.lovelace@shop.example',
  });
  expect(sent.statusCode).toBe(201);
  return files;
}

test.skipIf(chromiumPath === undefined)(
  'the widget shows files of agents with name, size and link, where no picture is allowed',
  async () => {
    const shop = await server.openShop();
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await askOn(page, question);
    await page.locator('.message.assistant .tools').waitFor();
    const [picture] = await sendFiles(shop);
    await page.reload();
    await page.locator('.launcher').click();
    const rows = page.locator('.message.agent .sent .file');
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => page.locator('.sent img').count()).toBe(0);
    expect(await page.locator('.message.agent .body').isVisible()).toBe(false);
    expect(await rows.allInnerTexts()).toEqual([
      'Plan of the garden.png\n0.1 kB',
      'Lieferschein <b>.txt\n0.1 kB',
    ]);
    const href = await rows.first().getAttribute('href');
    expect(href).toBe(server.address + picture.url);
    expect(Buffer.from(await (await fetch(String(href))).arrayBuffer())).toEqual(pngBytes);
    expect(await violationsOn(page)).toEqual([]);
    await own.close();
  },
);

test.skipIf(chromiumPath === undefined).each([true, false])(
  'the hosted page shows files of agents, scripts: %s',
  async (javaScriptEnabled) => {
    const slug = `files-${javaScriptEnabled}`;
    const shop = await server.openShop({ slug }, {}, 'hosted');
    const { page, own } = await visit({ shop, context: { javaScriptEnabled } });
    await page.goto(`${server.address}/c/${slug}`);
    await page.locator('textarea').fill(question);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.message.assistant:not(.greeting)').getByText('three working days').first().waitFor();
    await sendFiles(shop, 'Here is the **plan**.');
    await page.reload();
    const rows = page.locator('.message.agent .sent .file');
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => page.locator('.sent img').count()).toBe(javaScriptEnabled ? 1 : 0);
    if (javaScriptEnabled) {
      await expect.poll(() => page.evaluate('document.querySelector(".sent img").naturalWidth')).toBe(1);
    }
    const [download] = await Promise.all([own.waitForEvent('page'), rows.last().click()]);
    expect(download).toBeDefined();
    await own.close();
  },
);
