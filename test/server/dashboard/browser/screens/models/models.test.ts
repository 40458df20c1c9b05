import { describe, expect, test } from 'vitest';
import { startKeyedProvider } from '../../../../../helpers/models/providers/keyed-provider.ts';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'the models in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const provider = await startKeyedProvider({
      accounts: { 'sk-proj-good-key-x4Qd': 'good' },
      models: { 'gpt-4o-mini': 'OK', 'gpt-5': 'OK' },
    });
    const board = await openDashboard({ OPENAI_BASE_URL: provider.baseUrl });
    const shop = await board.makeWorkspace({ name: 'Shop' });
    const signIn = (role: 'owner' | 'agent') =>
      signInPerson(board, { email: `${role}@shop.example`, role, ownerId: shop.owner });
    const owner = await signIn('owner');
    const path = `/w/${shop.id}/settings/models`;

    test('an owner brings a key, chooses models in an order by the keyboard, and reads what is in force', async () => {
      const { page, own, complaints } = await board.visit(path, { cookie: owner.cookie });
      const force = page.getByRole('region', { name: 'In force now' });
      await force.getByText('No model: answers are quoted from your documents.').waitFor();
      const card = page.getByRole('region', { name: 'OpenAI', exact: true });
      await card.getByText('No key').waitFor();
      await card.getByRole('button', { name: 'Use your own key of OpenAI' }).click();
      await card.getByLabel('Key', { exact: true }).fill('sk-proj-wrong-key-9fQ1');
      await card.getByRole('button', { name: 'Try and store' }).click();
      await card.getByText('OpenAI refuses this key. Was it copied whole? The key is not stored.').waitFor();
      expect(await findFaults(page, { name: 'a refused key' })).toEqual([]);
      await card.getByLabel('Key', { exact: true }).fill('sk-proj-good-key-x4Qd');
      await card.getByRole('button', { name: 'Try and store' }).click();
      await card.getByText(/^gpt-4o-mini answered in [\d,]+ ms, 14 tokens\.$/).waitFor();
      await card.getByText('Your key works').waitFor();
      await card.getByText(/Key …x4Qd, set by owner/).waitFor();

      const add = page.getByRole('combobox', { name: 'Add a model' });
      for (const model of ['openai:gpt-4o-mini', 'openai:gpt-5']) {
        await add.fill(model);
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Add', exact: true }).click();
      }
      await page.getByRole('button', { name: 'Move openai:gpt-5 up' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('[aria-label="Move openai:gpt-5 down"]:focus').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await force.getByText('The models of this workspace: openai:gpt-5, then openai:gpt-4o-mini.').waitFor();
      await page.getByRole('status').getByText('Saved').waitFor();
      expect(await findFaults(page, { name: 'models' })).toEqual([]);
      const { settings } = await board.runtime.workspaces.get(shop.id);
      expect([settings.model, complaints]).toEqual(['openai:gpt-5, openai:gpt-4o-mini', []]);

      await card.getByRole('button', { name: 'Remove the key of OpenAI' }).click();
      await card.getByRole('button', { name: 'Remove it now' }).click();
      await force.getByText(/^None of the models has a key/).waitFor();
      await own.close();
    });

    test('a person without the right reads whom to ask, in German too', async () => {
      const agent = await signIn('agent');
      await agent.call('PATCH', '/admin/v1/me', { language: 'de' });
      const { page, own } = await board.visit(path, { cookie: agent.cookie });
      await page.getByText(/Modelle und Schlüssel sind für Inhaber\./).waitFor();
      await own.close();
    });
  },
);
