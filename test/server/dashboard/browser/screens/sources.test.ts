import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runIngestWorker } from '../../../../../workers/ingest/worker.ts';
import { runSourceWorker } from '../../../../../workers/sources/worker.ts';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'sources in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const root = mkdtempSync(join(tmpdir(), 'parley-sources-'));
    afterAll(() => rmSync(root, { recursive: true, force: true }));
    const board = await openDashboard({ SOURCE_FOLDERS: root });
    afterAll(await runIngestWorker(board.runtime));
    afterAll(await runSourceWorker(board.runtime));
    let count = 0;

    /** A workspace of its own with people, and a folder with two files and one that cannot be read. */
    async function openShop() {
      count += 1;
      const folder = join(root, `handbook-${count}`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'delivery.md'), '# Delivery\n\nDelivery to Norway costs 9 euros.\n');
      writeFileSync(join(folder, 'returns.md'), '# Returns\n\nSend it back within 30 days.\n');
      const shop = await board.makeWorkspace({ name: `Shop ${count}`, owner: 'own_shops' });
      const person = (role: 'owner' | 'viewer') =>
        signInPerson(board, { email: `${role}${count}@shop.example`, role, ownerId: shop.owner });
      const [owner, viewer] = [await person('owner'), await person('viewer')];
      return { id: shop.id, path: `/w/${shop.id}/knowledge/sources`, folder, owner, viewer };
    }

    const addFolder = async (shop: Awaited<ReturnType<typeof openShop>>) => {
      const added = await board.operate('POST', `/workspaces/${shop.id}/sources`, {
        ...{ name: 'Handbook', kind: 'folder', settings: { path: shop.folder } },
      });
      const { id } = added.json();
      return id as string;
    };

    describe('without a change', async () => {
      const [shop, empty] = [await openShop(), await openShop()];
      const id = await addFolder(shop);
      test.each([
        ['the list', shop, '', 'Knowledge'],
        ['a workspace without sources', empty, '', 'Knowledge'],
        ['the choice of kinds', shop, '/new', 'Add a source'],
        ['a new website', shop, '/new?kind=website', 'Add: Website'],
        ['a new tool', shop, '/new?kind=github', 'Add: GitHub'],
        ['a source', shop, `/${id}`, 'Handbook'],
        ['its files', shop, `/${id}?tab=items`, 'Handbook'],
        ['its runs', shop, `/${id}?tab=runs`, 'Handbook'],
        ['its settings', shop, `/${id}?tab=settings`, 'Handbook'],
      ])(
        '%s has no barrier, no breach of its policy and no sideways scrolling',
        async (name, at, path, title) => {
          const { page, own, complaints } = await board.visit(at.path + path, { cookie: at.owner.cookie });
          await page.getByRole('heading', { level: 1, name: title, includeHidden: true }).waitFor();
          expect(await findFaults(page, { name })).toEqual([]);
          expect(complaints).toEqual([]);
          await own.close();
        },
      );
    });

    test('a source is looked at, added, read, read again and deleted with its documents', async () => {
      const { id, path, folder, owner } = await openShop();
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('button', { name: 'Add a source' }).click();
      await page.getByRole('link', { name: /Folder on the server/ }).click();
      await page.getByLabel('Path').fill(folder);
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('2 found. 2 lie in groups of which a page was read well.').waitFor();
      await page.getByRole('button', { name: 'Add and read now' }).click();
      await page.getByText('In step').first().waitFor();
      await page.getByText('2 documents', { exact: true }).waitFor();

      writeFileSync(join(folder, 'delivery.md'), '# Delivery\n\nDelivery to Norway costs 11 euros.\n');
      await page.getByRole('button', { name: 'Run now' }).click();
      const changed = page.locator('[data-count="changed"]');
      await changed.getByText('1', { exact: true }).waitFor();

      await page.getByRole('link', { name: 'Pages and files' }).click();
      await page.getByRole('row').filter({ hasText: 'delivery.md' }).getByText('In step').waitFor();
      await page.getByRole('link', { name: 'Runs' }).click();
      await page.getByRole('row').filter({ hasText: 'Run 2' }).getByText('Finished').waitFor();

      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('radio', { name: 'Delete its 2 documents' }).check();
      await page.getByRole('button', { name: 'Delete the source' }).click();
      await page.getByRole('heading', { name: 'Keep a website or a tool in step' }).waitFor();
      const left = await board.operate('GET', `/workspaces/${id}/documents`);
      expect(left.json().documents).toEqual([]);
      await own.close();
    });

    test('the webhook of a tool is set up with its steps, and its token is shown once', async () => {
      const { id, path, owner } = await openShop();
      const added = await board.operate('POST', `/workspaces/${id}/sources`, {
        ...{ name: 'Wiki', kind: 'notion', settings: {}, run: false },
        credentials: { token: 'token-of-notion' },
      });
      const source = added.json().id;
      const { page, own } = await board.visit(`${path}/${source}?tab=settings`, { cookie: owner.cookie });
      const section = page.getByRole('region', { name: 'Changes at once' });
      await section.getByText('Not set up.').waitFor();
      await section.getByRole('button', { name: 'Set up', exact: true }).click();
      await section.getByText('Waiting for the secret.').waitFor();
      await section.getByText('In Notion, open your integration', { exact: false }).waitFor();
      const verification_token = 'secret_that_notion_has_sent';
      await board.app.inject({
        ...{ method: 'POST', url: `/webhooks/sources/${source}`, payload: { verification_token } },
      });
      await section.getByRole('button', { name: 'Show the token once' }).click();
      await section.getByText(verification_token).waitFor();
      await section.getByText('On. The tool has not called yet.').waitFor();
      expect(await findFaults(page, { name: 'a webhook' })).toEqual([]);
      await page.reload();
      await section.getByText('On. The tool has not called yet.').waitFor();
      expect(await section.getByText(verification_token).count()).toBe(0);
      await own.close();
    });

    test('a held run shows its numbers, and is discarded, held again and applied', async () => {
      const { id, path, folder, owner } = await openShop();
      const names = Array.from({ length: 30 }, (_, at) => `part-${at}.md`);
      for (const name of names) writeFileSync(join(folder, name), `# ${name}\n\nThe kettle has ${name}.\n`);
      const added = await board.operate('POST', `/workspaces/${id}/sources`, {
        ...{ name: 'Parts', kind: 'folder', settings: { path: folder }, schedule_minutes: null },
      });
      const { page, own } = await board.visit(`${path}/${added.json().id}`, { cookie: owner.cookie });
      const runs = async () => {
        const listed = await board.operate('GET', `/workspaces/${id}/sources/${added.json().id}/runs`);
        return listed.json().runs.map(({ state }: { readonly state: string }) => state);
      };
      const run = async () => {
        const { length } = await runs();
        await page.getByRole('button', { name: 'Run now' }).click();
        await expect.poll(runs).toHaveLength(length + 1);
        await expect.poll(async () => (await runs())[0]).toMatch(/finished|held/);
      };
      await page.getByText('In step', { exact: true }).first().waitFor();
      for (const name of names.slice(0, 20)) rmSync(join(folder, name));
      await run();
      await page.locator('[data-count="gone"]').getByText('20', { exact: true }).waitFor();
      await run();
      const hold = page.getByRole('region', { name: 'Held: this run waits for you' });
      await hold.getByText('More than a fifth of the documents would be removed.').waitFor();
      await hold.getByText('20 examples').click();
      await hold.getByText('part-0.md', { exact: true }).first().waitFor();
      expect(await findFaults(page, { name: 'a held run' })).toEqual([]);
      await hold.getByRole('button', { name: 'Discard them' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard them' }).click();
      await hold.waitFor({ state: 'detached' });
      await run();
      await run();
      await hold.getByRole('button', { name: 'Apply the changes' }).click();
      await page.getByRole('dialog').getByText('20 documents are removed', { exact: false }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Apply the changes' }).click();
      await page.getByText('12 documents', { exact: true }).waitFor();
      await page.getByText('In step', { exact: true }).first().waitFor();
      await own.close();
    });

    test('items that need a person are grouped by reason, with a sample and what to do', async () => {
      const { id, path, folder, owner } = await openShop();
      for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `${name}.pdf`), '%PDF-1.7 broken');
      await board.operate('POST', `/workspaces/${id}/sources`, {
        ...{ name: 'Broken', kind: 'folder', settings: { path: folder } },
      });
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      await page.getByText('Needs you (3 pages)').waitFor();
      await page.getByRole('link', { name: 'Broken' }).click();
      const troubles = page.getByRole('region', { name: 'Needs you' });
      await troubles.getByText('3 pages: cannot be read').waitFor();
      await troubles.getByText('Save the file anew', { exact: false }).waitFor();
      await troubles.getByText('For example', { exact: false }).click();
      await troubles.getByText('is damaged', { exact: false }).waitFor();
      await troubles.getByRole('link', { name: 'Show all' }).click();
      await page.getByRole('row').filter({ hasText: 'b.pdf' }).getByText('Failed').waitFor();
      await page.getByRole('link', { name: 'Overview' }).click();
      expect(await findFaults(page, { name: 'troubles' })).toEqual([]);
      await own.close();
    });

    test('a wrong setting is said at its form, a missing one is asked for, and nothing is stored', async () => {
      const { id, path, owner } = await openShop();
      const { page, own } = await board.visit(`${path}/new?kind=folder`, { cookie: owner.cookie });
      await page.getByLabel('Path').fill('/etc');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('alert').getByText('It cannot be read').waitFor();
      await page.getByLabel('Path').fill('');
      await page.getByRole('button', { name: 'Add and read now' }).click();
      await page.locator(':focus:invalid').waitFor();
      const stored = await board.operate('GET', `/workspaces/${id}/sources`);
      expect(stored.json().sources).toEqual([]);
      await own.close();
    });

    test('a viewer sees sources and changes none', async () => {
      const shop = await openShop();
      const id = await addFolder(shop);
      const { page, own } = await board.visit(shop.path, { cookie: shop.viewer.cookie });
      await page.getByText('Your role can see sources, but not change them.', { exact: false }).waitFor();
      await page.getByRole('link', { name: 'Handbook' }).click();
      await page.getByRole('heading', { level: 1, name: 'Handbook' }).waitFor();
      expect(await page.getByRole('button', { name: 'Run now' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Settings' }).last().click();
      expect(new URL(page.url()).pathname).toContain(id);
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      await own.close();
    });
  },
);
