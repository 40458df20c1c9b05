import { App, HTTPReceiver, SocketModeReceiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { afterAll, describe, expect, test } from 'vitest';
import { slackFixture } from '../../helpers/platforms/slack/fixture.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack/stand-in.ts';

const peer = await openSlackStandIn();
const { botToken: token, appToken, signingSecret } = peer.app;
const clientOptions = { slackApiUrl: `${peer.url}/api/`, retryConfig: { retries: 0 } };
peer.channels.set('C0HELP001', 'open');
const running: App[] = [];
afterAll(() => Promise.all(running.map((app) => app.stop())));

/** A Bolt app whose listeners record what they receive. */
function hearing(app: App): string[] {
  const received: string[] = [];
  app.event('app_mention', async ({ event }) => void received.push(`mention ${event.text}`));
  app.event('app_home_opened', async ({ event }) => void received.push(`opened ${event.tab}`));
  app.message(async ({ message }) => void received.push(`message ${message.subtype ?? ''}`));
  app.action(/^parley_/, async ({ ack, body }) => {
    await ack();
    received.push(`action ${body.type}`);
  });
  app.command('/ask', async ({ ack, command }) => {
    await ack();
    received.push(`command ${command.text}`);
  });
  return received;
}

describe('Slack’s own framework accepts the stand-in', () => {
  test('for signed requests', async () => {
    const receiver = new HTTPReceiver({ signingSecret, endpoints: '/slack/events' });
    const app = new App({ token, receiver, clientOptions });
    const received = hearing(app);
    const server = await app.start({ port: 0, host: '127.0.0.1' });
    running.push(app);
    const address = 'address' in server ? server.address() : null;
    peer.postTo(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/slack/events`);
    for (const name of ['mention', 'edited', 'opened', 'press-up', 'command']) {
      expect(await peer.tell(slackFixture(name)), name).toBe(200);
    }
    expect((await peer.post(slackFixture('handshake'), {})).ok).toBe(true);
    expect(received).toEqual([
      'mention <@U0PARLEY1> When are you open?',
      'message message_changed',
      'opened messages',
      'action block_actions',
      'command when are you open',
    ]);
    expect((await peer.post(slackFixture('mention'), { 'x-slack-signature': 'v0=0' })).status).toBe(401);
  });

  test('for socket frames', async () => {
    const receiver = new SocketModeReceiver({ appToken, installerOptions: { clientOptions } });
    const app = new App({ token, receiver, clientOptions });
    const received = hearing(app);
    await app.start();
    running.push(app);
    for (const [type, name] of [
      ['events_api', 'mention'],
      ['interactive', 'press-up'],
      ['slash_commands', 'command'],
    ] as const) {
      const { acknowledged } = peer.sockets.tell(type, slackFixture(name));
      await acknowledged.catch(() => {});
    }
    expect(received).toHaveLength(3);
  });

  test('for error responses to its client', async () => {
    const client = new WebClient(token, clientOptions);
    const refused = (call: Promise<unknown>) =>
      call.then(
        () => null,
        (error: unknown) => error,
      );
    expect(await refused(client.chat.postMessage({ channel: 'C0GONE001', text: 'x' }))).toMatchObject({
      data: { error: 'channel_not_found' },
    });
    const long = { type: 'markdown' as const, text: 'x'.repeat(12_001) };
    expect(
      await refused(client.chat.postMessage({ channel: 'C0HELP001', text: 'x', blocks: [long] })),
    ).toMatchObject({ data: { error: 'invalid_blocks' } });
    const halves = [
      { ...long, text: 'x'.repeat(6_001) },
      { ...long, text: 'y'.repeat(6_000) },
    ];
    expect(
      await refused(client.chat.postMessage({ channel: 'C0HELP001', text: 'x', blocks: halves })),
    ).toMatchObject({ data: { error: 'invalid_blocks' } });
    expect(
      await refused(
        client.chat.startStream({ channel: 'C0HELP001', thread_ts: '1790000001.000101', markdown_text: 'x' }),
      ),
    ).toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: { messages: [expect.stringContaining('missing_recipient_user_id')] },
      },
    });
    expect(
      await refused(client.chat.postMessage({ channel: 'C0HELP001', text: 'Hear, <!channel>!' })),
    ).toMatchObject({ data: { error: 'invalid_arguments' } });
  });
});
