import { describe, expect, test } from 'vitest';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { findBarriers, openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { client, openIdentityProvider } from '../../../../helpers/servers/browser/open-identity-provider.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

/** The value of every TXT record. */
const dns = { value: 'v=spf1 -all' };
const dashboard = await openDashboard(
  { ALLOW_PRIVATE_SIGN_IN: 'true' },
  { resolveTxt: async () => [[dns.value]] },
);
const workspace = await dashboard.makeWorkspace({ name: 'Acme' });
const { owner: ownerId } = workspace;
const callback = `${dashboard.address}/dashboard/provider/${ownerId}/callback`;
const idp = await openIdentityProvider([callback]);
const ann = await signInPerson(dashboard, { email: 'ann@acme.example', role: 'owner', ownerId });
const settingsPath = `/w/${workspace.id}/settings/sign-in`;

describe('the settings of the sign-in', () => {
  test('set up a provider, test it by the whole way and show what it says', async () => {
    const { page, complaints } = await dashboard.visit(settingsPath, { cookie: ann.cookie });
    await page.getByText(callback).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Acme accounts');
    await page.getByLabel('Issuer').fill(idp.issuer);
    await page.getByLabel('Client ID').fill(client.id);
    await page.getByLabel('Client secret').fill(client.secret);
    await page.getByRole('combobox', { name: 'Domains' }).fill('acme.example');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('Not tested').waitFor();
    expect(await page.getByLabel('Everybody signs in at your company').isDisabled()).toBe(true);

    idp.refuse('Ask the help desk for access.');
    await page.getByRole('button', { name: 'Test it' }).click();
    await page.getByText('Acme accounts says: Ask the help desk for access.').waitFor();

    idp.be({ sub: 'ann', email: 'ann@acme.example', email_verified: true, name: 'Ann' });
    await page.getByRole('button', { name: 'Test it' }).click();
    await page.getByText('Signed in as ann@acme.example').waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByLabel('Everybody signs in at your company').click();
    await page.getByText('No owner could sign in if the provider failed.').waitFor();
    expect(await page.getByLabel('Everybody signs in at your company').isChecked()).toBe(false);
    expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
    expect(await page.evaluate('window.violations')).toEqual([]);
  });

  test('show the record that proves a domain, what is wrong with it, and that it was found', async () => {
    const { page } = await dashboard.visit(settingsPath, { cookie: ann.cookie });
    await page.getByText('Not proven').waitFor();
    await page.getByText('_parley.acme.example').waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The record has another value.').waitFor();
    expect(await findFaults(page, { name: 'unproven domain' })).toEqual([]);
    dns.value = (await page.getByText(/^parley-[\w-]+$/).textContent()) ?? '';
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Proven', { exact: true }).waitFor();
    await page.getByText('Checked by ann').waitFor();
  });

  test('have no barrier and no sideways scrolling', async () => {
    const { page } = await dashboard.visit(settingsPath, { cookie: ann.cookie });
    await page.getByText('It works').waitFor();
    expect(await findFaults(page, { name: 'sign-in rules' })).toEqual([]);
  });

  test('trust addresses without a mark once an owner says so', async () => {
    const { page } = await dashboard.visit(settingsPath, { cookie: ann.cookie });
    const trusts = page.getByLabel('Trust addresses without a mark');
    await trusts.focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    await page.reload();
    await trusts.waitFor();
    expect(await trusts.isChecked()).toBe(true);
    // The test of before stays valid.
    await page.getByText('It works').waitFor();
  });
});

describe('the sign-in page', () => {
  test('offers the provider to addresses of its domain, which leads to the page that was wanted', async () => {
    idp.be({ sub: 'ben', email: 'ben@acme.example', email_verified: true, name: 'Ben' });
    const wanted = encodeURIComponent('/dashboard/me');
    const { page, own } = await dashboard.visit(`/sign-in?return=${wanted}`, {
      answers: { 'GET /admin/v1/me': undefined, 'GET /dashboard/auth-options': undefined },
      signedIn: false,
    });
    await page.getByLabel('E-mail').fill('ben@acme.example');
    await page.getByRole('button', { name: 'Continue with Acme accounts' }).click();
    await page.waitForURL('**/dashboard/me');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const me = await own.request.get(`${dashboard.address}/admin/v1/me`);
    expect(await me.json()).toMatchObject({ person: { email: 'ben@acme.example' } });
  });

  test('says why the provider sent the person back', async () => {
    idp.be({ sub: 'eve', email: 'eve@acme.example', email_verified: false });
    const { page } = await dashboard.visit('/sign-in', {
      answers: { 'GET /dashboard/auth-options': undefined },
      signedIn: false,
    });
    await page.getByLabel('E-mail').fill('eve@acme.example');
    await page.getByRole('button', { name: 'Continue with Acme accounts' }).click();
    await page.getByRole('alert').getByText('Acme accounts has not verified eve@acme.example.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });
});
