import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createEmulator } from 'emulate';
import { afterAll } from 'vitest';
import { z } from 'zod';

interface Dispatcher {
  register(subscription: { url: string; events: string[]; active: boolean; owner: string }): void;
}

interface Plugin {
  register(...given: [app: unknown, store: unknown, dispatcher: Dispatcher, ...rest: unknown[]]): void;
}

const pluginModule = z.custom<{ slackPlugin: Plugin }>(
  (value) => typeof value === 'object' && value !== null && 'slackPlugin' in value,
);

interface Options {
  readonly botToken: string;
  readonly signingSecret: string;
}

/**
 * Starts another project's imitation of Slack: stateful, with a person, a bot and a channel; closed after the test
 * file.
 */
export async function openEmulatedSlack({ botToken, signingSecret }: Options) {
  const dispatchers: Dispatcher[] = [];
  const { slackPlugin } = await loadPlugin();
  const { register } = slackPlugin;
  // It has no interface for the address to which events are posted.
  slackPlugin.register = (...given) => {
    dispatchers.push(given[2]);
    register(...given);
  };
  const bot = { app_id: 'A0HUB', bot_id: 'B0HUB', bot_user_id: 'U0HUB' };
  const emulator = await createEmulator({
    service: 'slack',
    port: 0,
    seed: {
      slack: {
        signing_secret: signingSecret,
        channels: [{ name: 'help' }],
        oauth_apps: [
          {
            ...bot,
            client_id: '1.2',
            client_secret: 'x',
            name: 'Hub',
            redirect_uris: [],
            scopes: ['chat:write'],
            bot_name: 'hub',
          },
        ],
        tokens: [
          {
            ...bot,
            token: botToken,
            type: 'bot',
            user_id: bot.bot_user_id,
            scopes: ['chat:write', 'channels:read', 'channels:history'],
          },
          {
            token: 'xoxp-admin',
            type: 'user',
            user_id: 'U000000001',
            scopes: ['chat:write', 'channels:read', 'channels:history', 'channels:write'],
          },
        ],
      },
    },
  });
  afterAll(async () => {
    slackPlugin.register = register;
    await emulator.close();
  });
  return {
    url: emulator.url,
    postTo: (url: string) => {
      for (const dispatcher of dispatchers)
        dispatcher.register({ url, events: ['*'], active: true, owner: 'slack' });
    },
  };
}

async function loadPlugin(): Promise<{ slackPlugin: Plugin }> {
  const folder = dirname(fileURLToPath(import.meta.resolve('emulate')));
  const file = readdirSync(folder).find(
    (name) => /^dist-.*\.js$/.test(name) && readFileSync(join(folder, name), 'utf8').includes('slackPlugin'),
  );
  return pluginModule.parse(await import(pathToFileURL(join(folder, file ?? '')).href));
}
