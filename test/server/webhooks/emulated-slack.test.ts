import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { openEmulatedSlack } from '../../helpers/platforms/slack/open-emulator.ts';
import { openSlackServer } from '../../helpers/servers/channels/open-slack-server.ts';

test('in a stateful emulated team, a question in a channel is answered in the thread', async () => {
  const botToken = 'xoxb-hub';
  const emulated = await openEmulatedSlack({ botToken, signingSecret: 'the-signing-secret-of-the-app' });
  const { channel, events, eventually } = await openSlackServer({
    mode: 'events',
    api: { url: emulated.url, botToken },
    settings: { streaming: false },
  });
  emulated.postTo(channel.webhook_url ?? '');
  const person = new WebClient('xoxp-admin', {
    slackApiUrl: `${emulated.url}/api/`,
    retryConfig: { retries: 0 },
  });
  const { channels } = await person.conversations.list();
  const help = channels?.find(({ name }) => name === 'help')?.id ?? '';
  const asked = await person.chat.postMessage({ channel: help, text: '<@U0HUB> When are you open?' });
  const answers = async () => {
    const { messages } = await person.conversations.replies({ channel: help, ts: asked.ts ?? '' });
    return messages?.filter(({ user }) => user === 'U0HUB').map(({ text }) => text) ?? [];
  };
  await eventually(async () => expect(await answers()).toEqual([expect.stringContaining('nine to five')]));
  await person.chat.postMessage({ channel: help, thread_ts: asked.ts ?? '', text: 'And on weekdays?' });
  await eventually(async () => expect(await answers()).toHaveLength(2));
  // Its own answers arrive as events and are neither stored nor answered.
  expect(await events()).toHaveLength(2);
});
