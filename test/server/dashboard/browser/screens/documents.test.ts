import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { waitUntilIndexed } from '../../../../../core/knowledge/documents/documents.ts';
import { runIngestWorker } from '../../../../../workers/ingest/worker.ts';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers, openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

const text =
  '# Delivery\n\n## Germany\n\nDelivery to Germany costs 4 euros.\n\n## Norway\n\nIt costs 9 euros.\n';
const brokenPdf = { name: 'wiring.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 broken') };

describe.skipIf(chromiumPath === undefined)(
  'documents in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    afterAll(await runIngestWorker(board.runtime));
    let count = 0;

    /** A workspace of its own with an owner and a viewer. */
    async function openShop() {
      count += 1;
      const shop = await board.makeWorkspace({ name: `Shop ${count}`, settings: { audiences: ['Trade'] } });
      const person = (role: 'owner' | 'viewer') =>
        signInPerson(board, { email: `${role}${count}@shop.example`, role, ownerId: shop.owner });
      const [owner, viewer] = [await person('owner'), await person('viewer')];
      return { id: shop.id, path: `/w/${shop.id}/knowledge/documents`, owner, viewer };
    }

    /** A document that is indexed when this resolves. */
    async function addDocument(
      workspaceId: string,
      content: string,
      audience: readonly string[] = [],
      { title }: { readonly title?: string } = {},
    ) {
      const { documents } = board.runtime;
      const added = await documents.add({ workspaceId, bytes: Buffer.from(content), audience, title });
      return waitUntilIndexed(documents, { workspaceId, documentId: added.id });
    }

    const chooseFiles = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
      page.locator('input[type="file"][multiple]').first().setInputFiles(files);

    describe('without a change', async () => {
      const shop = await openShop();
      const { id } = await addDocument(shop.id, text, ['Trade'], { title: 'Delivery' });
      await addDocument(shop.id, '# Code\n\n```js\nconst one = 1;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n');
      const { id: failed } = await board.runtime.documents.add({
        workspaceId: shop.id,
        bytes: new Uint8Array(),
        fileName: 'wiring.pdf',
        refusal: { code: 'no_text_layer', reason: 'This PDF has no text. Run it through OCR.' },
      });
      const empty = await openShop();
      test.each([
        ['the list', shop, '', 'Knowledge'],
        ['a list without matches', shop, '?q=nothing', 'Knowledge'],
        ['the text to paste', shop, '?add=text', 'Knowledge'],
        ['the address to add', shop, '?add=page', 'Knowledge'],
        ['a workspace without documents', empty, '', 'Knowledge'],
        ['a document', shop, `/${id}`, 'Delivery'],
        ['its passages', shop, `/${id}?tab=passages`, 'Delivery'],
        ['its settings', shop, `/${id}?tab=settings`, 'Delivery'],
        ['a failed document', shop, `/${failed}`, 'wiring.pdf'],
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

    test('a newcomer drops a file and sees it indexed', async () => {
      const { path, owner } = await openShop();
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('heading', { name: 'Drop your first document' }).waitFor();
      await drop(page, { name: 'delivery.md', type: 'text/markdown', text });
      const row = page.getByRole('row').filter({ hasText: 'Delivery' });
      await row.getByText('Ready').waitFor();
      await row.getByRole('link').click();
      await page.getByText('Delivery to Germany costs 4 euros.').waitFor();
      await page.getByRole('link', { name: 'Passages as indexed' }).click();
      await page.getByText('Delivery › Norway').waitFor();
      expect(new URL(page.url()).search).toBe('?tab=passages');
      await own.close();
    });

    test('a file that cannot be read says what to do, and another file in its place is indexed', async () => {
      const { path, owner } = await openShop();
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('heading', { name: 'Drop your first document' }).waitFor();
      await chooseFiles(page, brokenPdf);
      const failure = page.getByRole('article', { name: 'wiring.pdf' });
      await failure.getByText('Save it again and upload the new copy.').waitFor();
      await failure.getByRole('button', { name: 'Try again' }).click();
      await failure.getByText('This PDF is damaged or incomplete.').waitFor();
      await failure
        .locator('input[type="file"]')
        .setInputFiles({ name: 'wiring.md', mimeType: 'text/markdown', buffer: Buffer.from(text) });
      await page.getByRole('row').filter({ hasText: 'Delivery' }).getByText('Ready').waitFor();
      await failure.waitFor({ state: 'detached' });
      await own.close();
    });

    test('the message of the server about a file or an address stands beside it', async () => {
      const { id, path, owner } = await openShop();
      const detail = 'The body is not a form. Send the file as multipart/form-data.';
      const { page, own } = await board.visit(path, {
        cookie: owner.cookie,
        answers: {
          [`POST /admin/v1/workspaces/${id}/documents/upload`]: {
            status: 415,
            json: { detail, code: 'unsupported_media_type', request_id: 'req_1' },
          },
        },
      });
      await page.getByRole('heading', { name: 'Drop your first document' }).waitFor();
      await chooseFiles(page, brokenPdf);
      await page.getByRole('alert').getByText(detail).waitFor();
      await page.getByRole('button', { name: 'Dismiss wiring.pdf' }).click();
      await page.getByRole('button', { name: 'Give an address' }).click();
      await page.getByLabel('Address of the page').fill('http://127.0.0.1/help');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('127.0.0.1 is not a public address').waitFor();
      await own.close();
    });

    test('text is pasted, and the demo help centre is taken', async () => {
      const { path, owner } = await openShop();
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('button', { name: 'Take the demo' }).click();
      await page.getByRole('link', { name: 'Documents 18' }).waitFor();
      await page.getByRole('button', { name: 'Paste text' }).click();
      await page.getByLabel('Title', { exact: true }).fill('Christmas posting');
      await page.getByLabel('Text', { exact: true }).fill('Post before the 19th.');
      await page.getByRole('button', { name: 'Add text' }).click();
      await page.getByRole('row').filter({ hasText: 'Christmas posting' }).getByText('Pasted').waitFor();
      await own.close();
    });

    test('by keyboard alone a document is found, opened, given an audience, deleted and restored', async () => {
      const { id, path, owner } = await openShop();
      await addDocument(id, 'Opening hours are nine to five.', [], { title: 'Hours' });
      await addDocument(id, text, [], { title: 'Delivery' });
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      const { keyboard } = page;
      await page.getByRole('row').filter({ hasText: 'Hours' }).waitFor();
      await keyboard.press('/');
      await keyboard.type('deliv');
      await page.getByRole('row').filter({ hasText: 'Hours' }).waitFor({ state: 'detached' });
      await keyboard.press('Enter');
      await keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
      await keyboard.press('[');
      const audience = page.getByRole('combobox', { name: 'Audience' });
      await audience.waitFor();
      await tabTo(page, 'Audience');
      await keyboard.press('ArrowDown');
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await keyboard.press('Escape');
      await tabTo(page, 'Save');
      await keyboard.press('Enter');
      await page.getByText('Saved').waitFor();
      await page.locator('h1').waitFor();
      await keyboard.press('Escape');
      const row = page.getByRole('row').filter({ hasText: 'Delivery' });
      await row.getByText('Trade').waitFor();
      await tabTo(page, 'Delivery');
      await keyboard.press('x');
      await page.getByText('1 selected').waitFor();
      await keyboard.press('Delete');
      await row.waitFor({ state: 'detached' });
      await page.getByText('Delivery deleted').waitFor();
      await keyboard.press('z');
      await row.waitFor();
      const listed = await board.operate('GET', `/workspaces/${id}/audit-log`);
      const entries: { action: string; actor: string }[] = listed.json().audit_log;
      expect(entries.map(({ action, actor }) => `${action} ${actor}`).slice(0, 3)).toEqual([
        expect.stringMatching(/^document_restored owner/),
        expect.stringMatching(/^document_deleted owner/),
        expect.stringMatching(/^document_changed owner/),
      ]);
      await own.close();
    });

    test('several documents are given an audience and deleted together', async () => {
      const { id, path, owner } = await openShop();
      for (const title of ['One', 'Two', 'Three']) await addDocument(id, `${title} ${text}`, [], { title });
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      await page.getByLabel('Select all that are shown').check();
      const bar = page.getByRole('region', { name: 'Selected documents' });
      await bar.getByRole('button', { name: 'Audience' }).click();
      await page.getByRole('menuitem', { name: 'Trade' }).click();
      await page.getByRole('row').getByText('Trade').nth(2).waitFor();
      await page.keyboard.press('Escape');
      await bar.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('3 documents deleted').waitFor();
      await page.getByRole('heading', { name: 'Drop your first document' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('row').filter({ hasText: 'Three' }).waitFor();
      await own.close();
    });

    test('a person who may only read is told whom to ask, and finds nothing that would be refused', async () => {
      const { id, path, viewer } = await openShop();
      const { id: document } = await addDocument(id, text, [], { title: 'Delivery' });
      const { page, own } = await board.visit(path, { cookie: viewer.cookie });
      await page.getByText('To add or change them, ask an owner').waitFor();
      await page.getByRole('row').filter({ hasText: 'Delivery' }).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Add files' }).count()).toBe(0);
      await page.goto(`${board.address}/dashboard${path}/${document}?tab=settings`);
      await page.getByText('Your role can read documents, but not change them.').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      await own.close();
    });

    test('documents are sorted by their answers and by thumbs down, in the address', async () => {
      const { id, path, owner } = await openShop();
      const often = await addDocument(id, '# Often\n\nText.', [], { title: 'Often' });
      const bad = await addDocument(id, '# Bad\n\nText.', [], { title: 'Bad' });
      await addDocument(id, '# Never\n\nText.', [], { title: 'Never' });
      await board.runtime.database.kysely
        .insertInto('document_day')
        .values([
          { document_id: often.id, day: new Date(), answers: 1_240, rated: 50, disliked: 2 },
          { document_id: bad.id, day: new Date(), answers: 12, rated: 3, disliked: 2 },
        ])
        .execute();
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      const titles = () => page.locator('tbody [data-column="title"]').allInnerTexts();
      await page.getByRole('button', { name: 'Answers, 30 d' }).click();
      await expect.poll(titles).toEqual(['Often', 'Bad', 'Never']);
      expect(page.url()).toContain('sort=answers');
      await page.getByRole('button', { name: 'Thumbs down' }).press('Enter');
      await expect.poll(titles).toEqual(['Bad', 'Often', 'Never']);
      await page
        .getByRole('columnheader', { name: 'Thumbs down' })
        .and(page.locator('[aria-sort=descending]'))
        .waitFor();
      await page.getByRole('cell', { name: '2 of 3', exact: true }).waitFor();
      await page.getByRole('cell', { name: '4 %', exact: true }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await own.close();
    });

    test('filters stand in the address, so that a link shows the same', async () => {
      const { id, path, owner } = await openShop();
      await addDocument(id, 'For trade.', ['Trade'], { title: 'Prices' });
      await addDocument(id, text, [], { title: 'Delivery' });
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('button', { name: 'Audience' }).click();
      await page.getByRole('menuitem', { name: 'Trade' }).click();
      await page.getByRole('row').filter({ hasText: 'Delivery' }).waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?audience=Trade');
      await page.reload();
      await page.getByRole('button', { name: 'Audience: Trade' }).waitFor();
      await page.getByRole('row').filter({ hasText: 'Prices' }).waitFor();
      await own.close();
    });
  },
);

interface DroppedFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Drops a file somewhere on the page, as a person does with the mouse. */
async function drop(page: Page, file: DroppedFile): Promise<void> {
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(file.text)}], '${file.name}', { type: '${file.type}' }));
    return transfer;
  })()`);
  await page.dispatchEvent('h1', 'dragenter', { dataTransfer: data });
  const area = page.locator('.p-drop-screen .mantine-Dropzone-root');
  await area.waitFor();
  await area.dispatchEvent('drop', { dataTransfer: data });
}

/** Presses Tab until a control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      "document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? ''",
    );
    if (String(focused).trim() === name) return;
  }
  throw new Error(`No control with the name ${name} was reached.`);
}
