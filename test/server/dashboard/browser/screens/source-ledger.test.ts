import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { runIngestWorker } from '../../../../../workers/ingest/worker.ts';
import { runSourceWorker } from '../../../../../workers/sources/worker.ts';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';
import { origin, WebsiteBench } from '../../../../helpers/sources/websites/website-bench.ts';

const menu = ['Gardens', 'Seed pods', 'Sprig Box', 'Journal', 'Help'];

function shopPage(title: string, own: string): string {
  return `<title>${title}</title>
<div class="cookie-banner"><p>We use a few cookies to keep your basket together.</p></div>
<div class="c1">${menu.map((name) => `<div><a href="/${name}">${name}</a></div>`).join('')}</div>
<div class="c2"><h1>${title}</h1>${own}</div>
<div class="c3"><p>News from the seed room, once a month: sign up for our letter.</p></div>
<footer>Pottle and Sprig, Otterbeck</footer>`;
}

const hours = `<p>All times are local time in the United Kingdom. Our website takes orders day and night.</p>
<h2>Mill shop in Otterbeck</h2>
<table><tr><th>Day</th><th>April to September</th><th>October to March</th></tr><tr><td>Monday</td><td>closed</td><td>closed</td></tr>
<tr><td>Tuesday to Friday</td><td>10 am to 5 pm</td><td>10 am to 4.30 pm</td></tr><tr><td>Saturday</td><td>9.30 am to 5 pm</td><td>9.30 am to 4.30 pm</td></tr></table>
<p>The café corner closes half an hour before the shop.</p>
<h2>Repair counter</h2><p>The repair counter is open on Tuesdays and Thursdays from 10 am to 4 pm, with no appointment needed.</p>
<ul><li>Parcels can be handed in on any day.</li><li>Small tools are repaired while you wait.</li></ul>`;

const site = {
  '/opening-hours': shopPage('Opening hours', hours),
  ...Object.fromEntries(
    Array.from({ length: 14 }, (_, at) => [
      `/plants/${at}`,
      shopPage(`Plant ${at}`, `<p>Plant number ${at} wants ${at + 1} litres of water a week.</p>`),
    ]),
  ),
};

describe.skipIf(chromiumPath === undefined)(
  'the ledger of a page in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { id, owner: ownerId } = await board.makeWorkspace({ name: 'Pottle & Sprig', owner: 'own_sprig' });
    const bench = await WebsiteBench.open(board.runtime.database, id);
    bench.now = new Date(board.runtime.clock.now().getTime() - 4_000_000);
    await bench.read(site);
    afterAll(await runIngestWorker(board.runtime));
    afterAll(await runSourceWorker(board.runtime));
    const owner = await signInPerson(board, { email: 'maya@sprig.example', role: 'owner', ownerId });
    const viewer = await signInPerson(board, { email: 'ben@sprig.example', role: 'viewer', ownerId });
    const key = `${origin}/opening-hours`;
    const path = `/w/${id}/knowledge/sources/${bench.id}/page?key=${encodeURIComponent(key)}`;
    await tellAnswer();

    async function tellAnswer() {
      const { kysely } = board.runtime.database;
      const { document_id: document } = await kysely
        .selectFrom('source_item')
        .select('document_id')
        .where('key', '=', key)
        .where('source_id', '=', bench.id)
        .executeTakeFirstOrThrow();
      const at = board.runtime.clock.now();
      const chunk =
        '## Repair counter\n\nThe repair counter is open on Tuesdays and Thursdays from 10 am to 4 pm, with no appointment needed.';
      const sources = JSON.stringify([{ documentId: document, chunkId: 'c', score: 0.9, chunk }]);
      await sql`
        insert into conversation (id, workspace_id, channel, status, started_at, last_message_at, message_count)
        values ('conv_repair', ${id}, 'api', 'open', ${at}, ${at}, 2)
      `.execute(kysely);
      await sql`
        insert into message (id, conversation_id, workspace_id, position, role, content, created_at, sources, confidence, feedback)
        values ('msg_q1', 'conv_repair', ${id}, 0, 'user', 'Can I bring it in on Tuesday?', ${at}, null, null, null),
               ('msg_a1', 'conv_repair', ${id}, 1, 'assistant', 'Yes.', ${at}, ${sources}::jsonb, 'high', 'down')
      `.execute(kysely);
    }

    test('has no barrier, no breach of its policy and no sideways scrolling', async () => {
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('heading', { level: 1, name: 'Opening hours' }).waitFor();
      expect(await findFaults(page, { name: 'ledger', widths: [1_440, 390] })).toEqual([]);
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a page is found in the list, and shows what is kept, cut and used', async () => {
      const { page, own } = await board.visit(`/w/${id}/knowledge/sources/${bench.id}?tab=items`, {
        cookie: owner.cookie,
      });
      await page.getByRole('link', { name: 'See what was kept of Opening hours' }).click();
      const kept = page.getByRole('region', { name: 'As kept' });
      const cut = kept.locator('[data-cut]');
      await cut.filter({ hasText: 'We use a few cookies' }).getByText('cookie box').waitFor();
      await cut.filter({ hasText: 'News from the seed room' }).getByText('on 15 of 15 pages').waitFor();
      await cut.filter({ hasText: 'Pottle and Sprig' }).getByText('footer of the site').waitFor();
      await page.getByRole('button', { name: 'Can I bring it in on Tuesday?' }).press('Enter');
      await kept.locator('[data-used]').filter({ hasText: 'Tuesdays and Thursdays' }).waitFor();
      await page.getByRole('button', { name: 'Read this page again' }).click();
      await page.getByRole('status').filter({ hasText: 'The page is being read again.' }).waitFor();
      await own.close();
    });

    test('a part is taken back and left out with the keyboard, and the rule is removed', async () => {
      const { page, own } = await board.visit(path, { cookie: owner.cookie });
      const kept = page.getByRole('region', { name: 'As kept' });
      await kept.getByRole('button', { name: /^Take back: News from the seed room/ }).press('Enter');
      await page.getByRole('menuitem', { name: 'On this page' }).press('Enter');
      const news = kept.locator('[data-rule]').filter({ hasText: 'News from the seed room' });
      await news.getByText(/Taken back by .*, rule for this page/).waitFor();
      await page.getByText('Answers use this text.').waitFor();
      expect(await news.getAttribute('data-cut')).toBeNull();
      if (process.env.PARLEY_SHOTS !== undefined)
        await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/ledger-rule.png` });
      await kept.getByRole('button', { name: /^Leave out: The café corner/ }).press('Enter');
      await page.getByRole('menuitem', { name: 'On all pages of this source' }).press('Enter');
      await kept.locator('[data-cut]').filter({ hasText: 'The café corner' }).waitFor();
      await page.goto(page.url().replace(/\/page\?.*/, '?tab=settings'));
      const rules = page.getByRole('region', { name: 'Rules for parts of pages' });
      await rules.getByRole('button', { name: /^Remove the rule: News/ }).click();
      await rules.getByText('News from the seed room').waitFor({ state: 'detached' });
      await own.close();
    });

    test('a viewer sees the page and changes nothing', async () => {
      const { page, own } = await board.visit(path, { cookie: viewer.cookie });
      await page
        .getByRole('region', { name: 'As kept' })
        .getByText('Repair counter', { exact: true })
        .waitFor();
      expect(await page.getByRole('button', { name: /^(?:Take back|Leave out)/ }).count()).toBe(0);
      await own.close();
    });
  },
);
