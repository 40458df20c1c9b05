import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectors } from '../../../../connectors/registry.ts';
import { start } from '../../../../server/main.ts';
import { fakeConnector } from '../../../helpers/platforms/fake/connector.ts';
import { openFakePlatform } from '../../../helpers/platforms/fake/platform.ts';
import { openTestRuntime } from '../../../helpers/servers/open-test-runtime.ts';
import { doParley } from '../../../helpers/servers/processes/do-parley.ts';
import { runParley } from '../../../helpers/servers/processes/run-parley.ts';

const platform = await openFakePlatform();
const widgets = connectors.filter(({ manifest }) => manifest.channel === 'widget');
const runtime = await openTestRuntime({
  connectors: [fakeConnector, ...widgets],
  environment: { ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL: 'https://help.example' },
});
const environment = { DATA_DIR: runtime.config.DATA_DIR, ADMIN_TOKEN: runtime.installation.adminToken };
const parley = (args: readonly string[]) => doParley(args, environment);

const secrets = ['--credential', 'token=token-quokka', '--credential', 'signing_key=signing-quagga'];
const setting = ['--set', `api_base_url=${platform.url}`];

beforeAll(async () => {
  const server = await start(runtime);
  afterAll(() => server.stop());
  await runtime.workspaces.create({ name: 'Help' });
});

describe('the command line', () => {
  test('adds a channel, lists and shows it without its credentials, and removes it', async () => {
    const added = await parley(['channel', 'add', 'fake', '--name', 'Bot', ...secrets, ...setting]);
    expect(added.code, added.stderr).toBe(0);
    const id = /^id +(chan_\w+)$/m.exec(added.stdout)?.[1] ?? '';
    expect(added.stdout).toContain(`https://help.example/webhooks/${id}`);
    expect(added.stderr).toContain('Enter webhook_url on the platform');
    const [listed, shown] = await Promise.all([
      parley(['channel', 'list']),
      parley(['channel', 'show', id, '--json']),
    ]);
    expect(listed.stdout).toMatch(new RegExp(`^${id} +fake +Bot +connected +never$`, 'm'));
    expect(JSON.parse(shown.stdout)).toMatchObject({ id, name: 'Bot', profile: { bot: 'Ada' } });
    expect(added.stdout + listed.stdout + shown.stdout).not.toMatch(/quokka|quagga/);
    const removed = await parley(['channel', 'remove', id]);
    expect(removed).toMatchObject({ code: 0, stdout: `Removed ${id}.\n` });
    expect(await parley(['channel', 'show', id])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(channel_not_found\)\n.*channel list/),
    });
    expect((await parley(['channel', 'list'])).stdout).toContain('This workspace has no channels.');
  });

  test('shows an unreadable channel as an error and other channels unchanged', async () => {
    const add = (name: string) =>
      parley(['channel', 'add', 'fake', '--json', '--name', name, ...secrets, ...setting]);
    const [broken, whole] = [
      JSON.parse((await add('Broken')).stdout).id,
      JSON.parse((await add('Whole')).stdout).id,
    ];
    await runtime.database.kysely
      .updateTable('channel')
      .set({ credentials_encrypted: 'garbage' })
      .where('id', '=', broken)
      .execute();
    for (const command of [['channel', 'list'], ['queues']]) {
      const { code, stdout, stderr } = await parley(command);
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(new RegExp(`^${broken} .*\\berror\\b`, 'm'));
      expect(stdout).toMatch(new RegExp(`^${whole} .*\\bconnected\\b`, 'm'));
    }
    for (const id of [broken, whole]) expect((await parley(['channel', 'remove', id])).code).toBe(0);
  });

  test.each([
    ['lines', 'token=token-quince\n\nsigning_key=signing-quetzal\nsmtp.port:=25\n'],
    ['JSON', '{"token": "token-quince", "signing_key": "signing-quetzal", "smtp": {"port": 25}}'],
  ])('reads credentials from standard input, as %s, and from the environment', async (_form, input) => {
    const args = [
      'channel',
      'add',
      'fake',
      '--json',
      '--credentials-stdin',
      '--credential-env',
      'token=BOT_TOKEN',
    ];
    const added = await runParley([...args, ...setting], {
      environment: { ...environment, BOT_TOKEN: 'token-quiver' },
      input,
    });
    expect(added.code, added.stderr).toBe(0);
    const account = await runtime.channelAccounts.account(JSON.parse(added.stdout).id);
    expect(account?.credentials).toEqual({
      token: 'token-quiver',
      signing_key: 'signing-quetzal',
      smtp: { port: 25 },
    });
  });

  test('reports missing and unknown values and errors of the platform', async () => {
    const add = (...args: string[]) => parley(['channel', 'add', ...args]);
    platform.refusals.set('/probe', 'Unauthorized');
    const [refused, unknown, lacking, absent, broken] = await Promise.all([
      add('fake', ...secrets, ...setting),
      add('pigeon'),
      add('fake', '--set', 'mode=pigeon', ...secrets),
      add('fake', '--credential-env', 'token=NOT_THERE'),
      runParley(['channel', 'add', 'fake', '--credentials-stdin'], { environment, input: 'token-quartz' }),
    ]);
    platform.refusals.clear();
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Unauthorized \(channel_verification_failed\)\n.*verify=false/),
    });
    expect(unknown.stderr).toContain('Use one of fake, widget. (unknown_channel)');
    expect((await add('faek')).stderr).toContain(
      'Use one of fake, widget. Did you mean fake? (unknown_channel)',
    );
    expect(lacking.stderr).toMatch(/settings\.mode is invalid.*\(invalid_settings\)\n$/);
    expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('NOT_THERE is not set') });
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('name=value') });
    expect(broken.stderr).not.toContain('quartz');
  });

  test('adds a channel that shares the app of another, and creates installation links', async () => {
    const app = ['--credential', 'client_secret=secret-quaver', ...secrets, ...setting];
    const added = await parley(['channel', 'add', 'fake', '--json', ...app]);
    const { id } = JSON.parse(added.stdout);
    const child = await parley(['channel', 'add', 'fake', '--json', '--parent', id, '--set', 'team=red']);
    expect(JSON.parse(child.stdout)).toMatchObject({ parent: id, tenant: 'red', settings: { team: 'red' } });
    expect(child.stderr).not.toContain('Enter webhook_url');
    const [listed, link] = await Promise.all([
      parley(['channel', 'list']),
      parley(['channel', 'install-link', id]),
    ]);
    expect(listed.stdout).toMatch(new RegExp(`fake +${id} +red +connected`));
    expect(link.stdout).toMatch(/^https:\/\/help\.example\/install\/[\w-]{43}\n$/);
    expect(link.stderr).toContain('once');
  });

  test('prints the steps on the platform first if credentials are missing, and adds nothing', async () => {
    const [told, json] = await Promise.all([
      parley(['channel', 'add', 'slack', '--name', 'Help bot']),
      parley(['channel', 'add', 'slack', '--json']),
    ]);
    expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining('No channel was added yet') });
    expect(told.stdout).toContain('"display_name": "help-bot"');
    expect(json.code).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({
      added: false,
      channel: 'slack',
      guide: expect.stringContaining('agent_view'),
    });
  });

  test('reports a channel that is stored but not connected', async () => {
    platform.refusals.set('/enrol', 'No https.');
    const added = await parley(['channel', 'add', 'fake', ...secrets, ...setting]);
    platform.refusals.clear();
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('not connected: No https.') });
  });

  test('check says what was not seen yet and fails; with --watch it waits until everything was', async () => {
    const added = await parley(['channel', 'add', 'fake', '--json', ...secrets, ...setting]);
    const { id } = JSON.parse(added.stdout);
    const early = await parley(['channel', 'check', id]);
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('4 of 5 checks are not green.') });
    expect(early.stdout).toMatch(/^the platform accepts the credentials +done +\d{4}-/m);
    expect(early.stdout).toMatch(/^a visitor wrote +waiting$/m);
    const watched = parley(['channel', 'check', id, '--watch', '--json']);
    const now = new Date();
    await runtime.database.kysely
      .updateTable('channel')
      .set({ heard_at: now, first_message_at: now, first_answer_at: now })
      .where('id', '=', id)
      .execute();
    const { code, stdout, stderr } = await watched;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).checks).toHaveLength(5);
    expect(stderr).toMatch(/^done +an answer was sent$/m);
    expect((await parley(['channel', 'check', id])).code).toBe(0);
    await parley(['channel', 'remove', id]);
  });

  test('prints the script tag and the test page of a widget', async () => {
    const added = await parley(['channel', 'add', 'widget', '--set', 'title=Help']);
    expect(added.code, added.stderr).toBe(0);
    const [, token = ''] = /^public_token +(pub_\S+)$/m.exec(added.stdout) ?? [];
    const tag = `<script async="" src="https://help.example/widget.js" data-token="${token}"></script>`;
    expect(added.stdout).toMatch(new RegExp(`^script_tag +${tag}$`, 'm'));
    expect(added.stderr).toContain(`Test it first at https://help.example/widget/${token}\n`);
    const id = /^id +(chan_\w+)$/m.exec(added.stdout)?.[1] ?? '';
    const shown = await parley(['channel', 'show', id]);
    expect(shown.stdout).toContain(tag);
    expect(shown.stderr).toContain(`https://help.example/widget/${token}`);
  });
});
