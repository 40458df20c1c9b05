import { describe, expect, test } from 'vitest';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'Home in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { id, owner: ownerId } = await board.makeWorkspace({ name: 'Pottle & Sprig', owner: 'own_sprig' });
    const owner = await signInPerson(board, { email: 'maya@sprig.example', role: 'owner', ownerId });
    const agent = await signInPerson(board, { email: 'ben@sprig.example', role: 'agent', ownerId });

    test('steps tick on evidence, what needs a person is listed, and each leads to its place', async () => {
      const at = board.runtime.clock.now();
      await board.runtime.database.kysely
        .insertInto('document')
        .values({
          ...{ id: 'doc_broken', workspace_id: id, source_key: 'diagrams.pdf', title: 'Diagrams' },
          ...{ title_given: false, status: 'failed', failure_code: 'no_text', failure_reason: 'No text.' },
          ...{ created_at: at, updated_at: at },
        })
        .execute();
      const { page, own, complaints } = await board.visit('', { cookie: owner.cookie });
      await page.waitForURL(`**/w/${id}/home`);
      const steps = page.getByRole('region', { name: 'Six steps to a sound start' });
      await steps.getByText('2 of 6 seen').waitFor();
      await steps
        .getByRole('listitem')
        .filter({ hasText: 'A colleague joined' })
        .getByRole('img', { name: 'Seen' })
        .waitFor();
      const needs = page.getByRole('region', { name: 'Needs a person' });
      const failed = needs.getByRole('listitem').filter({ hasText: '1 document could not be read' });
      await failed.getByRole('img', { name: 'Urgent' }).waitFor();
      expect(await findFaults(page, { name: 'home', widths: [390, 1_440] })).toEqual([]);
      await failed.getByRole('link', { name: 'Look: 1 document could not be read' }).click();
      await page.waitForURL(`**/w/${id}/knowledge/documents?status=failed`);
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('an agent begins in the inbox', async () => {
      const { page, own } = await board.visit('', { cookie: agent.cookie });
      await page.waitForURL(`**/w/${id}/inbox`);
      await own.close();
    });
  },
);
