import { describe, expect, test } from 'vitest';
import { fetchFile } from '../../../connectors/telegram/files.ts';
import type { Tools } from '../../../core/contract/account.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { telegramAccount } from '../../helpers/platforms/telegram/account.ts';
import { openTelegramStandIn } from '../../helpers/platforms/telegram/stand-in.ts';

const home = telegramAccount();

/** Records requests; `getFile` returns `path`, and the download the given response. */
function fakeTelegram(path: string | undefined, file: () => Response = () => new Response('file')) {
  const requests: string[] = [];
  const fetch: Tools['fetch'] = async (input) => {
    requests.push(input.toString());
    const result = {
      file_id: 'voice-1',
      file_unique_id: 'A',
      ...(path !== undefined && { file_path: path }),
    };
    return requests.length === 1 ? Response.json({ ok: true, result }) : file();
  };
  return { requests, tools: connectorTools({ fetch }) };
}

describe('a file of a visitor', async () => {
  const peer = await openTelegramStandIn();
  const account = telegramAccount({ settings: { enabled: true, api_base_url: peer.url } });

  test('is looked up by its id and downloaded from the returned path', async () => {
    peer.files.set('voice-1', 'a recording');
    const { body } = await fetchFile('voice-1', account, connectorTools());
    expect(Buffer.from(body).toString()).toBe('a recording');
  });

  test.each([
    ['another', 'wrong file_id'],
    ['large', 'file is too big'],
  ])('that Telegram refuses has its error message: %s', async (id, message) => {
    peer.files.set('large', 'x'.repeat(20_000_001));
    await expect(fetchFile(id, account, connectorTools())).rejects.toMatchObject({
      message: expect.stringContaining(message),
      advice: { retry: 'never' },
    });
  });

  test.each(['geo:38.72,-9.14', 'tel:+351911111111', '../getMe', ''])(
    'is not requested for the malformed reference %j',
    async (reference) => {
      const { requests, tools } = fakeTelegram('voice/file_1.oga');
      await expect(fetchFile(reference, home, tools)).rejects.toThrow('not a Telegram file');
      expect(requests).toEqual([]);
    },
  );

  test.each([
    undefined,
    '/var/lib/telegram-bot-api/7000001/voice/file_1.oga',
    '../../getUpdates',
    'a/../b',
    'a?b',
  ])('is not downloaded from the path %j', async (path) => {
    const { requests, tools } = fakeTelegram(path);
    await expect(fetchFile('voice-1', home, tools)).rejects.toThrow('no path to download');
    expect(requests).toHaveLength(1);
  });

  test.each([
    [302, 'never'],
    [404, 'never'],
    [502, 'backoff'],
  ])('with status %d has the retry advice %s', async (status, retry) => {
    const headers = { location: 'https://evil.example/' };
    const { requests, tools } = fakeTelegram(
      'voice/file_1.oga',
      () => new Response(null, { status, headers }),
    );
    await expect(fetchFile('voice-1', home, tools)).rejects.toMatchObject({ advice: { retry } });
    expect(requests).toHaveLength(2);
  });

  test('errors never contain the token', async () => {
    const { bot_token: token } = home.credentials;
    const { tools } = fakeTelegram('voice/file_1.oga', () => {
      throw new TypeError(`no way to https://api.telegram.org/file/bot${token}/voice/file_1.oga`);
    });
    const error = await fetchFile('voice-1', home, tools).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('no way to');
    expect(String(error)).not.toContain(token);
  });

  test('that is too large is not read to its end', async () => {
    const endless = new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(1_000_000)) });
    const { tools } = fakeTelegram('voice/file_1.oga', () => new Response(endless));
    await expect(fetchFile('voice-1', home, tools)).rejects.toThrow('larger than 16 MB');
  });
});
