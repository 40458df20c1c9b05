import { describe, expect, test } from 'vitest';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'workspaces in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const shop = await board.makeWorkspace({
      ...{ name: 'Pottle & Sprig', owner: 'own_sprig', plan: 'growth' },
      settings: { audiences: ['staff'] },
    });
    const maya = { email: 'maya@sprig.example', role: 'owner', ownerId: shop.owner } as const;
    const owner = await signInPerson(board, maya);
    const agent = await signInPerson(board, { ...maya, email: 'ben@sprig.example', role: 'agent' });

    test('an owner makes one with the settings of another, and stands in it', async () => {
      const path = `/w/${shop.id}/channels`;
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      await page.getByRole('button', { name: 'Switch workspace: Pottle & Sprig' }).click();
      await page.getByRole('menuitem', { name: 'New workspace' }).click();
      const submit = page.getByRole('button', { name: 'Make the workspace' });
      await page.getByLabel('Name').fill('Trade desk');
      // The pointer rests on the rail, which would show a tooltip.
      await page.mouse.move(900, 700);
      expect(await findFaults(page, { name: 'new workspace', widths: [390, 1_440] })).toEqual([]);
      await page.getByRole('combobox', { name: 'Settings' }).click();
      await page.getByRole('option', { name: 'Pottle & Sprig' }).click();
      await submit.click();
      await page.getByRole('button', { name: 'Switch workspace: Trade desk' }).waitFor();
      await page.getByRole('heading', { level: 1, name: 'Knowledge' }).waitFor();
      const { workspaces } = (await board.operate('GET', '/workspaces?limit=1')).json();
      expect(workspaces).toMatchObject([
        { name: 'Trade desk', owner: 'own_sprig', plan: 'growth', settings: { audiences: ['staff'] } },
      ]);
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('an agent is offered none, and is told who may make one', async () => {
      const { page, own } = await board.visit('/new-workspace', { cookie: agent.cookie });
      await page.getByText('Workspaces are made by owners', { exact: false }).waitFor();
      await page.getByRole('button', { name: /^Switch workspace/ }).click();
      await page.getByRole('menuitem', { name: 'Pottle & Sprig' }).waitFor();
      expect(await page.getByRole('menuitem', { name: 'New workspace' }).count()).toBe(0);
      await own.close();
    });

    test('one of 500 is found by its name, and opens on the same screen', async () => {
      const [model] = board.me.workspaces;
      const workspaces = Array.from({ length: 500 }, (_, at) => ({
        ...model,
        id: `ws_${at}`,
        name: `Shop ${at}`,
      }));
      const { page, own } = await board.visit('/w/ws_1/channels', {
        answers: { 'GET /admin/v1/me': { json: { ...board.me, workspaces } } },
      });
      await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('w');
      await page.getByRole('menu').getByText('500 match.', { exact: false }).waitFor();
      await page.getByRole('textbox', { name: 'Find a workspace' }).fill('shop 437');
      // The server knows no such workspace, and would soon lead to another page.
      const opened = page.waitForURL('**/w/ws_437/channels');
      await page.getByRole('menuitem', { name: 'Shop 437' }).click();
      await opened;
      await own.close();
    });
  },
);
