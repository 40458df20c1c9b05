import { beforeEach, describe, expect, test } from 'vitest';
import { createStreaming } from '../../../connectors/telegram/streaming.ts';
import type { ConversationRef } from '../../../core/contract/account.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { telegramAccount } from '../../helpers/platforms/telegram/account.ts';
import { openTelegramStandIn } from '../../helpers/platforms/telegram/stand-in.ts';

const peer = await openTelegramStandIn();
const settings = { enabled: true, api_base_url: peer.url, streaming: true };
const account = telegramAccount({ settings });
const tools = connectorTools();
const at = (kind: string): ConversationRef => ({ lane: '501', address: { chat: 501, kind, topic: null } });
const to = at('private');
const begin = (text: string) => createStreaming(account).begin({ text, replyTo: null, to }, tools);
const methods = () => peer.calls.map(({ method }) => method);

beforeEach(() => {
  peer.chats.add(501);
  peer.sent.splice(0);
  peer.calls.splice(0);
});

describe('a streamed answer', () => {
  test('is streamed in private chats if the setting streaming is true', () => {
    expect(createStreaming(account).applies(to)).toBe(true);
    expect(createStreaming(account).applies(at('supergroup'))).toBe(false);
    expect(createStreaming(telegramAccount()).applies(to)).toBe(false);
  });

  test('is one message that becomes the answer', async () => {
    const draft = await begin('The **first');
    await createStreaming(account).show(
      { draft, text: 'The **first** and', shown: 'The **first', to },
      tools,
    );
    const part = { content: { html: '<b>All</b> of it', text: 'All of it', replyTo: null } };
    const receipt = await createStreaming(account).end({ draft, part, to }, tools);
    expect(peer.calls.map(({ method, params }) => [method, params.text])).toEqual([
      ['sendMessage', 'The **first'],
      ['editMessageText', 'The <b>first</b> and'],
      ['editMessageText', '<b>All</b> of it'],
    ]);
    expect(peer.sent.map(({ text }) => text)).toEqual(['All of it']);
    expect(receipt.messageId).toBe(`501/${peer.sent[0]?.messageId}`);
  });

  test('shows only the text of its first message', async () => {
    const long = 'A sentence of the answer. '.repeat(200);
    const draft = await begin(long);
    await createStreaming(account).show({ draft, text: `${long} and more`, shown: long, to }, tools);
    expect(methods()).toEqual(['sendMessage']);
  });

  test('ends without an error if the last draft equals the answer', async () => {
    const draft = await begin('All');
    const part = { content: { html: 'All', text: 'All', replyTo: null } };
    await expect(createStreaming(account).end({ draft, part, to }, tools)).resolves.toMatchObject({});
  });

  test('is deleted when it is discarded', async () => {
    const draft = await begin('Half of');
    await createStreaming(account).discard(draft, to, tools);
    expect(peer.sent).toEqual([]);
  });
});
