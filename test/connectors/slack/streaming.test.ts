import { beforeEach, describe, expect, test } from 'vitest';
import { render } from '../../../connectors/slack/render.ts';
import { createStreaming } from '../../../connectors/slack/streaming.ts';
import type { Draft } from '../../../core/contract/facets.ts';
import type { OutboundPart } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack/account.ts';
import { shownIn } from '../../helpers/platforms/slack/messages.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack/stand-in.ts';
import { hooks } from './contract-hooks.ts';

const peer = await openSlackStandIn();
const account = slackAccount({ settings: slackSettings({ api_base_url: peer.url }) });
const to = hooks.conversation;
const tools = connectorTools();
const channel = 'C0HELP001';
const words = [
  'We are open ',
  'on **weekdays** ',
  'from <!here> nine ',
  'to five, as https://a.example/x',
  '|y says.',
];
const whole = words.join('');
const shown = 'We are open on **weekdays** from <\u2060!here> nine to five, as https://a.example/x%7Cy says.';

const partOf = (text: string): OutboundPart => {
  const [part] = render(plainReply({ text, offers: ['feedback', 'human'] }), to);
  if (part === undefined) throw new TypeError('no part');
  return part;
};

/** Shows the first words one after the other. */
async function showAll(count: number): Promise<Draft> {
  let text = words[0] ?? '';
  let draft = await createStreaming(account).begin({ text, replyTo: null, to }, tools);
  for (const word of words.slice(1, count)) {
    const more = text + word;
    draft = await createStreaming(account).show({ draft: stored(draft), text: more, shown: text, to }, tools);
    text = more;
  }
  return stored(draft);
}

/** Serialises the draft as another process would read it. */
const stored = (draft: Draft): Draft => JSON.parse(JSON.stringify(draft));
const end = (draft: Draft, text = whole) =>
  createStreaming(account).end({ draft, part: partOf(text), to }, tools);
const methods = () => peer.calls.map(({ method }) => method.replace('chat.', ''));

beforeEach(() => {
  peer.channels.set(channel, 'open');
  peer.messages.splice(0);
  peer.calls.splice(0);
});

describe('a streamed answer', () => {
  test('is a Slack stream for its recipient, and ends with its sources and buttons', async () => {
    const receipt = await end(await showAll(4));
    expect(methods()).toEqual(['startStream', 'appendStream', 'appendStream', 'appendStream', 'stopStream']);
    expect(peer.calls[0]?.params).toMatchObject({
      thread_ts: '1790000001.000101',
      recipient_user_id: 'U0ANA0001',
      recipient_team_id: 'T0GARDEN1',
    });
    const [message] = peer.messages;
    expect(peer.messages.map(shownIn)).toEqual([shown]);
    expect(message).toMatchObject({ isStreaming: false });
    expect(message?.blocks.map(({ type }) => type)).toEqual(['context_actions', 'actions']);
    expect(receipt).toEqual({ messageId: `${channel}/${message?.ts}` });
  });

  test('continues with the rest in a new message after Slack ends the stream', async () => {
    const draft = await showAll(2);
    peer.endStreams();
    const text = words.slice(0, 3).join('');
    const next = await createStreaming(account).show(
      { draft, text, shown: words.slice(0, 2).join(''), to },
      tools,
    );
    const receipt = await end(stored(next));
    expect(peer.messages.map(shownIn)).toEqual([shown.slice(0, 28), shown.slice(28)]);
    expect(peer.messages[1]?.blocks).toHaveLength(2);
    expect(receipt).toEqual({ messageId: `${channel}/${peer.messages[1]?.ts}` });
  });

  test('is completed by an edit if Slack ended the stream before the last piece', async () => {
    const draft = await showAll(3);
    peer.endStreams();
    await end(draft);
    expect(methods().slice(-2)).toEqual(['stopStream', 'update']);
    expect(peer.messages.map(shownIn)).toEqual([shown]);
    expect(peer.messages[0]?.blocks).toHaveLength(3);
  });

  test('has its rest in a new message if that edit is refused', async () => {
    const draft = await showAll(3);
    peer.endStreams();
    peer.trouble('chat.update', { kind: 'refused', error: 'cant_update_message' });
    const receipt = await end(draft);
    expect(peer.messages.map(shownIn)).toEqual([shown.slice(0, 47), shown.slice(47)]);
    expect(receipt).toEqual({ messageId: `${channel}/${peer.messages[1]?.ts}` });
  });

  test('can be ended twice after a lost response, with the same result', async () => {
    const draft = await showAll(5);
    peer.trouble('chat.stopStream', { kind: 'cut-after' });
    await expect(end(draft)).rejects.toMatchObject({ advice: { retry: 'backoff' } });
    await end(draft);
    expect(peer.messages.map(shownIn)).toEqual([shown]);
  });

  test('is replaced if the final text differs from the draft', async () => {
    const draft = await showAll(2);
    peer.endStreams();
    const next = await createStreaming(account).show(
      { draft, text: whole, shown: words.slice(0, 2).join(''), to },
      tools,
    );
    const receipt = await end(stored(next), 'A person will answer you.');
    expect(peer.messages.map(shownIn)).toEqual(['A person will answer you.']);
    expect(receipt).toEqual({ messageId: `${channel}/${peer.messages[0]?.ts}` });
  });

  test('with a table ends as a code block', async () => {
    const table = 'We sell:\n\n| Plant | Pots |\n| --- | --- |\n| Fern | 3 |\n';
    const draft = stored(await createStreaming(account).begin({ text: table, replyTo: null, to }, tools));
    await end(draft, table);
    expect(peer.messages.map(shownIn)).toEqual([
      'We sell:\n\n```\nPlant | Pots\n------+-----\nFern  | 3\n```\n',
    ]);
  });

  test('gets plain buttons if Slack refuses the blocks', async () => {
    const draft = await showAll(5);
    peer.trouble('chat.stopStream', { kind: 'refused', error: 'invalid_blocks' });
    await end(draft);
    expect(peer.messages[0]?.blocks.map(({ type }) => type)).toEqual(['actions']);
  });

  test('is deleted when it is discarded', async () => {
    await createStreaming(account).discard(await showAll(2), to, tools);
    expect(peer.messages).toEqual([]);
  });

  test('reports a rate limit and loses no text', async () => {
    const draft = await showAll(1);
    peer.trouble('chat.appendStream', { kind: 'limited', retryAfter: 2 });
    const text = words.slice(0, 2).join('');
    const more = { draft, text, shown: words[0] ?? '', to };
    await expect(createStreaming(account).show(more, tools)).rejects.toMatchObject({
      advice: { retry: 'after', afterMs: 2_000 },
    });
    await end(draft);
    expect(peer.messages.map(shownIn)).toEqual([shown]);
  });
});

describe.each([
  { kind: 'missing' },
  { kind: 'refused', error: 'unknown_method' },
  { kind: 'refused', error: 'missing_scope' },
] as const)('without support for streams ($kind)', (trouble) => {
  test('one message is edited repeatedly and becomes the answer', async () => {
    peer.trouble('chat.startStream', trouble);
    const draft = await showAll(3);
    expect(peer.messages.map(shownIn)).toEqual(
      [shown.slice(0, 46).trimEnd()].map((text) => expect.stringContaining(text)),
    );
    const receipt = await end(draft);
    expect(methods()).toEqual(['startStream', 'postMessage', 'update', 'update', 'update']);
    expect(peer.messages.map(shownIn)).toEqual([shown]);
    expect(peer.messages[0]?.blocks).toHaveLength(3);
    expect(receipt).toEqual({ messageId: `${channel}/${peer.messages[0]?.ts}` });
  });
});

describe('where streaming applies', () => {
  const at = (changes: object) => ({ ...to, address: { ...Object(to.address), ...changes } });

  test.each([
    [{}, true],
    [{ thread: null }, false],
    [{ user: null }, false],
    [{ user: null, channel: 'D0ANA0001' }, true],
  ])('%j: %s', (changes, applies) => {
    expect(createStreaming(account).applies(at(changes))).toBe(applies);
  });

  test('does not apply if the setting streaming is false', () => {
    expect(createStreaming(slackAccount({ settings: slackSettings({ streaming: false }) })).applies(to)).toBe(
      false,
    );
  });

  test('an account error is thrown, not replaced by edits', async () => {
    peer.trouble('chat.startStream', { kind: 'refused', error: 'token_revoked' });
    await expect(showAll(1)).rejects.toMatchObject({ account: true });
    expect(methods()).toEqual(['startStream']);
  });
});
