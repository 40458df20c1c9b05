import { expect, test } from 'vitest';
import { telegramSpec } from '../../helpers/platforms/telegram/spec.ts';
import { openTelegramStandIn } from '../../helpers/platforms/telegram/stand-in.ts';

const peer = await openTelegramStandIn();
peer.chats.add(501);

const call = async (method: string, params: object, token = peer.token) => {
  const response = await fetch(`${peer.url}/bot${token}/${method}`, {
    method: 'POST',
    body: JSON.stringify(params),
  });
  return await response.json();
};

test.skipIf(telegramSpec === null)(
  "calls that violate Telegram's description are refused (skipped if PEERS_DIR is not set)",
  async () => {
    const message = { chat_id: 501, text: 'Hello' };
    expect(await call('sendMessage', message)).toMatchObject({ ok: true });
    for (const wrong of [
      { reply_to_message_id: 41 },
      { chat_id: true },
      { reply_parameters: { allow_sending_without_reply: true } },
      { link_preview_options: { disabled: true } },
    ])
      expect(await call('sendMessage', { ...message, ...wrong })).toMatchObject({
        ok: false,
        error_code: 400,
      });
    expect(await call('sendMessage', { chat_id: 501 })).toMatchObject({ error_code: 400 });
    expect(await call('setMyCommands', { commands: [{ command: 'start' }] })).toMatchObject({
      error_code: 400,
    });
  },
);

test('long, empty, unknown and malformed messages get Telegram’s error messages', async () => {
  const send = (text: string, more = {}) => call('sendMessage', { chat_id: 501, text, ...more });
  expect(await send('x'.repeat(4_097))).toMatchObject({ description: 'Bad Request: message is too long' });
  expect(await send(' ')).toMatchObject({ description: 'Bad Request: message text is empty' });
  expect(await send('x', { chat_id: 9 })).toMatchObject({ description: 'Bad Request: chat not found' });
  expect(await send('<b>x', { parse_mode: 'HTML' })).toMatchObject({
    description: expect.stringContaining("can't parse entities"),
  });
  expect(await send(`<b>${'x'.repeat(4_096)}</b>`, { parse_mode: 'HTML' })).toMatchObject({ ok: true });
  expect(await call('getMe', {}, '1:wrong')).toMatchObject({ error_code: 401, description: 'Unauthorized' });
  expect(await call('sendPigeon', {})).toMatchObject({ description: 'Not Found: method not found' });
});
