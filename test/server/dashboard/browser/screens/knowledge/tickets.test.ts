import { describe, expect, test } from 'vitest';
import { ingestDocument } from '../../../../../../core/knowledge/indexing/ingest-document.ts';
import { runImportSlice } from '../../../../../../core/tickets/run-import-slice.ts';
import { TicketImports } from '../../../../../../core/tickets/ticket-imports.ts';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';

const asked = [
  ['Within how many days can I return a box?', 'You can return a box within 30 days.'],
  ['How many days do I have to return a box?', 'Within 30 days of delivery you can return a box.'],
  ['At what time does the shop open?', 'The shop opens at ten in the morning on all days.'],
  ['Which paint suits a garden fence?', 'Our blue paint suits wooden fences very well.'],
];
const tickets = asked.map(([question, reply], index) => ({
  ...{ id: index + 1, created_at: '2026-03-01T10:00:00Z', requester_id: 1 },
  comments: [
    { author_id: 1, body: question },
    { author_id: 2, body: reply },
  ],
}));

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

describe.skipIf(chromiumPath === undefined)(
  'tickets of another help desk in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { runtime } = board;
    const database = runtime.database.kysely;
    const shop = await board.makeWorkspace({ name: 'Shop' });
    const added = await runtime.documents.add({
      ...{ workspaceId: shop.id, title: 'Help' },
      bytes: Buffer.from(
        '# Help\n\n## Returns\n\nYou can return a box within 30 days of delivery.\n\n## Hours\n\nThe shop opens at nine.',
      ),
    });
    await ingestDocument({ ...runtime, database }, added.id);
    const signIn = (role: 'owner' | 'viewer') =>
      signInPerson(board, { email: `${role}@shop.example`, role, ownerId: shop.owner });
    const owner = await signIn('owner');
    const viewer = await signIn('viewer');
    const path = `/w/${shop.id}/knowledge/tickets`;
    const work = async (importId: string) => {
      const signal = new AbortController().signal;
      const dependencies = { ...runtime, readMails: async () => [] };
      while ((await runImportSlice(dependencies, { importId, signal })) !== null);
    };

    test('an owner uploads an export, reads the report, judges the sample by keys, and deletes it', async () => {
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('heading', { name: 'What would Parley have answered last year?' }).waitFor();
      expect(await findFaults(page, { name: 'the empty screen' })).toEqual([]);
      const chosen = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Upload an export' }).click();
      await (await chosen).setFiles({
        name: 'tickets.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify({ tickets })),
      });
      await page.getByText('Reading the file').waitFor();
      expect(await page.getByRole('button', { name: 'Upload an export' }).isDisabled()).toBe(true);
      const { id } = await database.selectFrom('ticket_import').select('id').executeTakeFirstOrThrow();
      await work(id);
      await page.getByRole('heading', { name: 'would have done with 4 first questions' }).waitFor();
      await page.getByRole('link', { name: 'No document' }).click();
      await page.locator('summary').getByText('Which paint suits a garden fence?').click();
      await page.getByText('Our blue paint suits wooden fences very well.').waitFor();
      await page.getByText('a person would have answered').waitFor();
      await page.getByRole('button', { name: 'Judge 3' }).click();
      const panel = page.getByRole('region', { name: 'Is the answer right?' });
      await panel.getByText('0 of 3 judged').waitFor();
      await panel.getByRole('heading', { name: 'The agent wrote' }).waitFor();
      expect(await findFaults(page, { name: 'the report' })).toEqual([]);
      await page.keyboard.press('1');
      await panel.getByText('1 of 3 judged').waitFor();
      await page.keyboard.press('z');
      await panel.getByText('0 of 3 judged').waitFor();
      for (const [index, key] of ['1', '2', '3'].entries()) {
        await page.keyboard.press(key);
        await panel.getByText(`${index + 1} of 3 judged`).waitFor();
      }
      await panel.getByText('The whole sample is judged.').waitFor();
      await page.getByText('3 were judged by hand: 50 % to 50 %').waitFor();
      await page.getByRole('button', { name: 'Delete the import' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { name: 'What would Parley have answered last year?' }).waitFor();
      const left = await database.selectFrom('imported_ticket').select('id').execute();
      expect([left, complaints]).toEqual([[], []]);
      await own.close();
    });

    test('a person who may only read sees the report and why a file failed, and changes nothing', async () => {
      const imports = new TicketImports({ ...runtime, database });
      for (const text of ['a;b', JSON.stringify({ tickets })]) {
        const { id } = await imports.create({
          ...{ workspaceId: shop.id, fileName: 'tickets.json', audience: [], model: null, startedBy: 'Maya' },
          chunks: bytesOf(text),
          isTruncated: () => false,
        });
        await work(id);
      }
      const { page, own } = await board.visit(path, { cookie: viewer.cookie });
      await page.getByRole('heading', { name: 'would have done with 4 first questions' }).waitFor();
      expect(await page.getByRole('button', { name: /Upload|Judge|Delete/ }).count()).toBe(0);
      await page.getByRole('navigation', { name: 'Imports' }).getByRole('link').nth(1).click();
      await page.getByText('This is no export that can be read.').waitFor();
      await own.close();
    });
  },
);
