import { describe, expect, test } from 'vitest';
import { operatorActor } from '../../../../../../core/contract/actor.ts';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { indexWaiting, runTrial } from '../../../../../helpers/servers/questions/run-trial.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'change sets in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { runtime } = board;
    const database = runtime.database.kysely;
    const shop = await board.makeWorkspace({ name: 'Shop' });
    const hours = await runtime.documents.add({
      ...{ workspaceId: shop.id, title: 'Opening hours', origin: 'text', contentType: 'text/markdown' },
      bytes: Buffer.from(
        '## Repairs\n\nThe repair counter is open on Tuesdays.\n\n## Parcels\n\nParcels wait at the mill for a week.',
      ),
    });
    await indexWaiting(runtime);
    const questions = [
      { question: 'On which day is the repair counter open?', accepted: ['Tuesday'] },
      { question: 'Where do parcels wait?', accepted: ['mill'] },
    ];
    await board.operate('POST', `/workspaces/${shop.id}/test-questions`, { questions });
    const signIn = (role: 'owner' | 'agent' | 'viewer') =>
      signInPerson(board, { email: `${role}@shop.example`, role, ownerId: shop.owner });
    const owner = await signIn('owner');
    const path = `/w/${shop.id}/knowledge`;
    const finishRun = async () => {
      const run = await database
        .selectFrom('test_run')
        .select('id')
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow();
      await runTrial(runtime, run.id);
    };

    test('an owner stages an edit, sees which answer it changes, accepts it by key, publishes it and takes it back', async () => {
      const { page, own, complaints } = await board.visit(`${path}/documents/${hours.id}`, {
        cookie: owner.cookie,
      });
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Edit text' }).click();
      const field = page.getByRole('dialog').getByRole('textbox');
      await field.fill((await field.inputValue()).replace('on Tuesdays', 'on Tuesdays and Saturdays'));
      await page.getByRole('button', { name: 'Stage', exact: true }).click();
      const item = page.getByRole('article', { name: 'Opening hours' });
      await item.getByText('The repair counter is open on Tuesdays and Saturdays.').waitFor();
      expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
      await indexWaiting(runtime);
      await item.getByText('Being read for the trial').waitFor({ state: 'detached' });
      await page.keyboard.press('r');
      await page.getByText('0 of 2 asked').waitFor();
      await finishRun();
      const changed = page.getByRole('article', { name: 'On which day is the repair counter open?' });
      await changed.getByText('on Tuesdays and Saturdays').waitFor();
      await page.getByText('1 of 2').waitFor();
      await page.getByText('1 to look at').waitFor();
      await page.getByText('1 as before').click();
      expect(await findFaults(page, { name: 'a change set' })).toEqual([]);
      await page.keyboard.press('2');
      await page.getByText('Green', { exact: true }).waitFor();
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.getByText('Published by').waitFor();
      await indexWaiting(runtime);
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
      await page.getByText('Taken back by').waitFor();
      await indexWaiting(runtime);
      await page.getByRole('link', { name: 'Changes' }).click();
      await page.getByRole('cell', { name: 'Taken back' }).waitFor();
      expect(await findFaults(page, { name: 'the list of change sets' })).toEqual([]);
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('a changed answer setting is tried before it is saved, and a conflict is told and taken over again', async () => {
      const { page, own } = await board.visit(`/w/${shop.id}/settings/answers`, { cookie: owner.cookie });
      const limit = page.getByRole('textbox', { name: 'Shown as the answer from' });
      await limit.fill('85');
      await page.getByRole('button', { name: 'Run before and after' }).click();
      await page.getByRole('article', { name: 'Answer settings' }).getByText('0.85').waitFor();
      await finishRun();
      await page.getByText('as before', { exact: false }).first().waitFor();
      await runtime.workspaces.update(shop.id, { settings: { answer_from: 0.7 } });
      await page.getByRole('alert').getByText('Changed meanwhile by somebody else').waitFor();
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('Changed meanwhile: answer_from').waitFor();
      await page.getByRole('button', { name: 'Take over again' }).click();
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('Published by').waitFor();
      const { settings } = await runtime.workspaces.get(shop.id);
      expect(settings.answer_from).toBe(0.85);
      await own.close();
    });

    test('a skill is switched off, and a curated answer removed, with the set alone', async () => {
      const skill = await runtime.httpSkills.create(shop.id, {
        ...{ name: 'order_status', description: 'Looks up an order.', url: 'https://shop.example/orders' },
        ...{ parameters: { type: 'object' }, timeoutMs: 5_000, runsFor: 'everyone', enabled: true },
      });
      const actor = { workspaceId: shop.id, actor: operatorActor };
      const parking = await runtime.curatedAnswers.create(actor, {
        ...{ question: 'Where can I park?', phrasings: [], action: 'answer', answer: 'Behind the mill.' },
        ...{ audience: [], validUntil: null },
      });
      const skillPage = `/w/${shop.id}/settings/skills/${skill.skill.id}`;
      const { page, own, complaints } = await board.visit(skillPage, { cookie: owner.cookie });
      const stage = page.getByRole('button', { name: 'Stage', exact: true });
      expect(await stage.isDisabled()).toBe(true);
      await page.getByRole('switch', { name: 'Switched on' }).uncheck({ force: true });
      await stage.click();
      const item = page.getByRole('article', { name: 'order_status' });
      await item.getByText('Switched on').waitFor();
      await item.getByText('none runs while the questions are asked').waitFor();
      await page.goto(`${new URL(page.url()).origin}/dashboard${path}/curated?edit=${parking.id}`);
      await page.getByRole('dialog').getByRole('button', { name: 'Stage the removal' }).click();
      await page.getByRole('article', { name: 'Where can I park?' }).getByText('Answer removed').waitFor();
      expect(await findFaults(page, { name: 'a set with a skill and an answer' })).toEqual([]);
      expect((await runtime.httpSkills.get(shop.id, skill.skill.id)).enabled).toBe(true);
      await page.getByRole('button', { name: 'Publish' }).dblclick();
      await page.getByText('Published by').waitFor();
      expect((await runtime.httpSkills.get(shop.id, skill.skill.id)).enabled).toBe(false);
      await expect(runtime.curatedAnswers.get(shop.id, parking.id)).rejects.toThrow();
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('an agent stages and does not publish, and a viewer of an empty list is told who begins', async () => {
      const agent = await signIn('agent');
      const { page, own } = await board.visit(`${path}/documents/${hours.id}`, { cookie: agent.cookie });
      await page.getByRole('button', { name: 'Stage a change' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('The counter is open daily.');
      await page.getByRole('button', { name: 'Stage', exact: true }).click();
      await page.getByText('Publishing needs a right that you do not have').waitFor();
      expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('table', { name: 'Changes' }).waitFor();
      await own.close();
      await database.deleteFrom('change_set').execute();
      const viewer = await signIn('viewer');
      const visit = await board.visit(`${path}/changes`, { cookie: viewer.cookie });
      await visit.page.getByText('People with the right to stage changes begin here.').waitFor();
      expect(await visit.page.getByRole('button', { name: 'New set' }).count()).toBe(0);
      await visit.own.close();
    });
  },
);
