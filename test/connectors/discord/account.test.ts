import { beforeEach, describe, expect, test } from 'vitest';
import { discord as connector } from '../../../connectors/discord/discord.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { accountOn } from '../../helpers/platforms/discord/account.ts';
import { openDiscordStandIn } from '../../helpers/platforms/discord/open-stand-in.ts';

const discord = await openDiscordStandIn();
const { world } = discord;
const tools = connectorTools({ now: () => new Date() });

beforeEach(() => {
  discord.calls.splice(0);
  world.application.interactions_endpoint_url = null;
});

describe('the probe', () => {
  test('returns the bot’s profile', async () => {
    expect(await connector.open(accountOn(discord)).probe(tools)).toEqual({
      id: world.bot.id,
      username: 'parley',
      name: 'Parley',
      message_content: false,
    });
  });

  test.each([
    ['bot_token', 'a.b.c', '401: Unauthorized'],
    ['application_id', '123456789012345678', /^The bot token belongs to the application/],
    ['public_key', 'f'.repeat(64), 'The public key does not belong to Parley.'],
  ])('rejects a wrong %s with an explanation', async (name, value, message) => {
    const account = accountOn(discord);
    const wrong = { ...account, credentials: { ...account.credentials, [name]: value } };
    await expect(connector.open(wrong).probe(tools)).rejects.toThrow(message);
  });
});

describe('commands', () => {
  test('are registered one by one, so that other commands of the application stay', async () => {
    discord.state.commands.set('weather', { name: 'weather' });
    await connector.open(accountOn(discord)).prepare?.(tools);
    expect([...discord.state.commands.keys()]).toEqual(['weather', 'ask', 'human']);
    expect(discord.state.commands.get('human')).toMatchObject({
      description: 'Talk to a person',
      description_localizations: {
        de: 'Mit einem Menschen sprechen',
        'es-ES': 'Hablar con una persona',
        'es-419': 'Hablar con una persona',
        fr: 'Parler à une personne',
      },
    });
  });

  test('that go to an interactions endpoint cause a warning in the log', async () => {
    world.application.interactions_endpoint_url = 'https://elsewhere.example';
    const told = connectorTools();
    await connector.open(accountOn(discord)).prepare?.(told);
    expect(told.warned).toHaveLength(1);
  });
});

describe('the interactions endpoint', () => {
  const account = () => ({
    ...accountOn(discord, { mode: 'interactions' }),
    webhookUrl: `http://127.0.0.1:1/webhooks/chan_discord`,
  });

  test('is set if the installation has a public address', async () => {
    await expect(connector.open({ ...account(), webhookUrl: null }).registerWebhook?.(tools)).rejects.toThrow(
      'public address',
    );
  });

  test('stays when the channel is removed, if it belongs to another installation', async () => {
    world.application.interactions_endpoint_url = 'https://elsewhere.example';
    await connector.open(account()).unregisterWebhook?.(tools);
    expect(world.application.interactions_endpoint_url).toBe('https://elsewhere.example');
    world.application.interactions_endpoint_url = account().webhookUrl;
    await connector.open(account()).unregisterWebhook?.(tools);
    expect(world.application.interactions_endpoint_url).toBeNull();
  });
});

test('the invite link requests exactly the required permissions', () => {
  const link = connector.guideValues?.({ name: 'Help bot', webhookUrl: null }).invite_link ?? '';
  const { searchParams } = new URL(link);
  expect(searchParams.get('scope')).toBe('bot applications.commands');
  // View channels, send messages, read the history, create public threads, send messages in threads.
  const bits = [10n, 11n, 16n, 35n, 38n];
  expect(BigInt(searchParams.get('permissions') ?? 0)).toBe(bits.reduce((all, bit) => all | (1n << bit), 0n));
});

test('silence counts as stale for the gateway mode only', () => {
  const after = (mode: 'gateway' | 'interactions') =>
    connector.open(accountOn(discord, { mode })).staleAfterMs ?? null;
  // That is longer than a heartbeat interval, even if the stored activity time is ten seconds old.
  expect(after('gateway')).toBeGreaterThan(41_250 + 10_000 + 20_000);
  expect(after('gateway')).toBeLessThan(110_000);
  expect(after('interactions')).toBeNull();
});

test('a channel with guild_id belongs to that server’s tenant', () => {
  const tenantOf = (settings = {}) => connector.open(accountOn(discord, settings)).tenancy?.tenant;
  expect(tenantOf({ guild_id: world.guildId })).toBe(world.guildId);
  expect(tenantOf()).toBeNull();
});
