import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard, toCookies } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { type SignedIn, signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'the screens of people and audit in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { operate } = board;
    const workspace = await board.makeWorkspace({ name: 'Pottle & Sprig' });
    const second = await board.runtime.workspaces.create({ name: 'Trade desk', owner: workspace.owner });
    const { owner: ownerId } = workspace;
    const base = `/w/${workspace.id}/settings`;
    const maya = await signInPerson(board, { email: 'maya@sprig.example', role: 'owner', ownerId });
    const ben = await signInPerson(board, {
      email: 'ben@sprig.example',
      role: 'agent',
      ownerId,
      workspaceIds: [second.workspace.id],
    });
    const cleo = await signInPerson(board, { email: 'cleo@sprig.example', role: 'agent', ownerId });
    await operate('POST', `/workspaces/${workspace.id}/invitations`, {
      email: 'dan@sprig.example',
      role: 'viewer',
    });
    // Until the browser app is built, which may take a minute.
    beforeAll(async () => (await board.open('/sign-in')).own.close(), 180_000);

    const open = async (person: SignedIn, path: string, context: object = {}) => {
      const opened = await board.open('/forgot', context);
      await opened.own.addCookies(toCookies(person.cookie, opened.address));
      await opened.page.goto(`${opened.address}/dashboard${path}`);
      await opened.page.getByRole('heading', { level: 1 }).waitFor();
      return opened;
    };
    const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

    test.each([
      ['people', '/people', 'dan@sprig.example'],
      ['invite', '/people?invite=1', 'Make the invitation link'],
      ['member', '/people?member=BEN', 'Type ben@sprig.example to remove them'],
      ['audit', '/audit', 'Person joined'],
      ['audit-filtered', '/audit?action=signed_in&actor=nobody', 'No entry fits these filters'],
    ])('%s: no barrier, no breach and no sideways scrolling', async (name, path, text) => {
      const { members } = (await operate('GET', `/workspaces/${workspace.id}/members`)).json();
      const id = members.find(({ email }: { email: string }) => email === 'ben@sprig.example').id;
      const { page, own, complaints } = await open(maya, base + path.replace('BEN', id));
      await page.getByText(text).last().waitFor();
      expect(await findFaults(page, { name })).toEqual([]);
      expect(complaints.filter((line) => !line.includes('status of 401'))).toEqual([]);
      await own.close();
    });

    test('an owner invites a person by keyboard, copies the link once, and revokes the invitation', async () => {
      const { page, own } = await open(maya, `${base}/people`);
      await page.getByRole('button', { name: 'Invite', exact: true }).focus();
      await page.keyboard.press('Enter');
      const drawer = page.getByRole('dialog', { name: 'Invite a person' });
      await drawer.getByLabel('E-mail').fill('fay@sprig.example');
      await drawer.getByRole('radio', { name: 'Viewer' }).focus();
      await page.keyboard.press('Space');
      await drawer.getByRole('radio', { name: 'Only these' }).check();
      await drawer.getByRole('checkbox', { name: 'Trade desk' }).check();
      await drawer.getByRole('button', { name: 'Make the invitation link' }).click();
      const link = await drawer.getByText(/\/dashboard\/invite#/).innerText();
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      const [, token = ''] = link.split('#');
      const look = await board.app.inject({
        method: 'POST',
        url: '/dashboard/invitations/look',
        headers: { origin: 'http://parley.example', host: 'parley.example' },
        payload: { token },
      });
      expect(look.json()).toMatchObject({ role: 'viewer', inviter: 'maya' });
      expect(look.json().workspaces.length).toBe(2);
      await page.getByRole('button', { name: 'Revoke the invitation of fay@sprig.example' }).click();
      await row(page, 'fay@sprig.example').waitFor({ state: 'detached' });
      await own.close();
    });

    test('an owner changes a role, makes a way back in, and removes a person by typing their address', async () => {
      const { page, own } = await open(maya, `${base}/people`);
      await row(page, 'cleo@sprig.example').click();
      const drawer = page.getByRole('dialog', { name: 'cleo' });
      await drawer.getByRole('radio', { name: 'Viewer' }).check();
      await drawer.getByRole('button', { name: 'Save' }).click();
      await drawer.getByText('Saved').waitFor();
      await row(page, 'cleo@sprig.example').getByText('Viewer').waitFor();
      await drawer.getByRole('button', { name: 'Make a link' }).click();
      await drawer.getByText(/\/dashboard\/recover#/).waitFor();
      const remove = drawer.getByRole('button', { name: 'Remove this person' });
      expect(await remove.isDisabled()).toBe(true);
      await drawer.getByLabel('Type cleo@sprig.example to remove them').fill('cleo@sprig.example');
      await page.keyboard.press('Enter');
      await row(page, 'cleo@sprig.example').waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('');
      expect((await cleo.call('GET', '/admin/v1/me')).statusCode).toBe(401);
      await own.close();
    });

    test('the last owner is told so, and members of some workspaces do not see the people of all', async () => {
      const owner = await open(maya, `${base}/people`);
      await row(owner.page, 'maya@sprig.example').click();
      const drawer = owner.page.getByRole('dialog', { name: 'maya' });
      await drawer.getByText('This is the last owner.').first().waitFor();
      expect(await drawer.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      expect(await drawer.getByRole('button', { name: 'Remove this person' }).count()).toBe(0);
      await owner.own.close();

      const agent = await open(ben, `/w/${second.workspace.id}/settings/people?invite=1`);
      await agent.page.getByText('your role covers some of its workspaces only').waitFor();
      expect(await row(agent.page, 'maya@sprig.example').count()).toBe(0);
      expect(await agent.page.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0);
      expect(await agent.page.getByRole('dialog').count()).toBe(0);
      await agent.page.goto(`${agent.address}/dashboard/w/${second.workspace.id}/settings/audit`);
      await agent.page.getByText('This is for owners.').waitFor();
      await agent.own.close();
    });

    test('the audit log is filtered by its address, and exported with the same filters', async () => {
      const { page, own } = await open(maya, `${base}/audit?action=member_invited`);
      await row(page, 'Invited a person').first().waitFor();
      expect(await row(page, 'Person joined').count()).toBe(0);
      await page.getByLabel('What').selectOption('member_joined');
      await row(page, 'Person joined').first().waitFor();
      await page.getByLabel('Who').fill('nobody');
      await page.keyboard.press('Enter');
      await page.getByText('No entry fits these filters').waitFor();
      expect(new URL(page.url()).search).toBe('?action=member_joined&actor=nobody');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByLabel('What').selectOption('member_invited');
      await row(page, 'Invited a person').first().waitFor();
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export as CSV' }).click();
      const stream = await (await downloading).createReadStream();
      const text = (await stream.toArray()).join('');
      const [head, ...lines] = text.trim().split('\r\n');
      expect(head).toBe('"at","actor","actor_id","action","conversation_id","details","id"');
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.filter((line) => !line.includes('"member_invited"'))).toEqual([]);
      await own.close();
    });
  },
);
