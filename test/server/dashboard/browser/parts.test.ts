import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../../../helpers/servers/browser/open-browser.ts';
import { findBarriers, openDashboard } from '../../../helpers/servers/browser/open-dashboard.ts';
import { showPart } from '../../../helpers/servers/browser/show-part.ts';

const form = `
import { useState } from 'react';
import { Problem } from './api/problem.ts';
import { SchemaForm } from './parts/schema-form.tsx';

const schema = {
  type: 'object',
  required: ['bot_token', 'mode'],
  properties: {
    bot_token: { type: 'string', format: 'password', description: 'The token of the bot from BotFather.' },
    mode: { type: 'string', enum: ['webhook', 'polling'], default: 'webhook', description: 'How updates arrive.' },
    buttons: { type: 'boolean', default: true, description: 'Whether answers have buttons.', 'x-effect': 'Shown below each answer.' },
    max_connections: { type: 'integer', minimum: 1, maximum: 100, default: 40 },
    greeting: { type: 'string', maxLength: 1000 },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    domains: { type: 'array', items: { type: 'string' }, description: 'Where the widget may stand.' },
    hours: { type: 'object', properties: { opens: { type: 'string', default: '09:00' }, closes: { type: 'string' } } },
  },
};

function Shown() {
  const [sent, setSent] = useState(null);
  const refused = new Problem({ status: 422, code: 'invalid_bot_token', detail: 'Telegram says: “Unauthorized”', requestId: 'req_1' });
  return (
    <>
      <h1>Form</h1>
      <SchemaForm schema={schema} value={{ mode: 'polling', buttons: true, max_connections: 10 }} stored={['bot_token']}
        error={sent && refused} onSubmit={(fields, changes) => setSent({ fields, changes })} />
      <pre id="sent">{JSON.stringify(sent)}</pre>
    </>
  );
}
`;

const parts = `
import { Problem } from './api/problem.ts';
import { CircleCheck, CircleDashed, FileUp } from './icons.ts';
import { CopyField } from './parts/copy-field.tsx';
import { EmptyState } from './parts/states/empty-state.tsx';
import { ErrorState } from './parts/states/error-state.tsx';
import { ConfidencePill, StatusPill } from './parts/pills.tsx';
import { SecretOnce } from './parts/secret-once.tsx';
import { Skeletons } from './parts/states/skeletons.tsx';
import { TimeAgo } from './parts/time-ago.tsx';

function Shown() {
  const problem = new Problem({ status: 503, code: 'storage_busy', detail: 'The database was busy for more than 5 s.', requestId: 'req_9fk2x7' });
  return (
    <>
      <h1>Parts</h1>
      <p>
        <ConfidencePill level="high" score={0.91} /> <ConfidencePill level="medium" /> <ConfidencePill level="low" /> <ConfidencePill level="none" />{' '}
        <StatusPill tone="green" icon={CircleCheck}>Live</StatusPill> <StatusPill tone="amber" icon={CircleDashed}>Not proven</StatusPill>{' '}
        <StatusPill tone="red">Refused</StatusPill> <StatusPill tone="grey">Snoozed</StatusPill> <TimeAgo at={new Date(Date.now() - 720000).toISOString()} />
      </p>
      <SecretOnce name="Order page" secret="pk_Yq3vN8tLw0RkA5uXzG7cE2mJh9bTfD4sPiV6oQ1nKxI" />
      <br />
      <CopyField label="Address" value="https://help.example/webhooks/telegram/ch_1" />
      <br />
      <ErrorState error={problem} title="The list did not come" onRetry={() => {}} />
      <br />
      <ErrorState error={new Problem({ status: 403, code: 'forbidden', detail: 'Keys are for owners.', requestId: 'req_1' })} />
      <Skeletons rows={3} tile />
      <EmptyState icon={FileUp} title="Drop your first document" text="Answers come from what is in here and from nowhere else." />
    </>
  );
}
`;

describe.skipIf(chromiumPath === undefined)('parts of the dashboard (skipped without Chromium)', async () => {
  if (chromiumPath === undefined) return;
  const board = await openDashboard();

  test('a form from a schema sends what changed, shows defaults, and puts a refusal at its field', async () => {
    const { page, own } = await board.visit('/forgot');
    await showPart(page, board.address, form);
    await page.getByRole('heading', { name: 'Form' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const sent = async () => JSON.parse(await page.locator('#sent').innerText());

    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('Mode', { exact: true }).selectOption('webhook');
    await page.getByRole('switch', { name: 'Buttons' }).press('Space');
    await page.getByText('Default: on').waitFor();
    await page.getByRole('button', { name: 'Reset to default: Max connections' }).click();
    await page.getByRole('button', { name: 'Add: Domains' }).click();
    await page.getByLabel('Entry 1', { exact: true }).fill('shop.example');
    await page.getByLabel('Closes', { exact: true }).fill('17:00');
    await page.getByRole('button', { name: 'Save' }).click();

    expect((await sent()).changes).toEqual({
      mode: 'webhook',
      buttons: false,
      max_connections: null,
      domains: ['shop.example'],
      hours: { closes: '17:00' },
    });
    await page.getByText('Telegram says: “Unauthorized”').waitFor();
    expect(await page.getByLabel('Bot token', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await findBarriers(page)).toEqual([]);
    await own.close();
  });

  test.each(['light', 'dark'] as const)('states and pills have no barrier: %s', async (colorScheme) => {
    const { page, own } = await board.visit('/forgot', { context: { colorScheme } });
    await showPart(page, board.address, parts);
    await page.getByRole('heading', { name: 'Parts' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('window.violations')).toEqual([]);
    await own.close();
  });
});
