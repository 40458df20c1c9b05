import { describe, expect, test } from 'vitest';
import { fetchFile } from '../../../../connectors/twilio/messaging/files.ts';
import { connectorTools } from '../../../helpers/platforms/connector-tools.ts';
import { twilioAccount } from '../../../helpers/platforms/twilio/account.ts';

const account = twilioAccount();
const path = `/2010-04-01/Accounts/${account.credentials.account_sid}/Messages/MM1/Media/ME1`;
const media = `https://api.twilio.com${path}`;

/** Returns a `fetch` with these responses, which records the addresses and whether credentials were sent. */
function respondWith(...answers: (() => Response)[]) {
  const asked: [url: string, shown: boolean][] = [];
  const tools = connectorTools({
    fetch: async (input, init) => {
      asked.push([input.toString(), new Headers(init?.headers).has('authorization')]);
      return (answers[asked.length - 1] ?? (() => new Response(null, { status: 404 })))();
    },
  });
  return { asked, tools };
}
const redirectTo = (location: string) => () => new Response(null, { status: 307, headers: { location } });
const fileResponse = (text: string) => () => new Response(text, { headers: { 'content-type': 'image/png' } });

describe("a visitor's file", () => {
  test('is requested from Twilio with credentials, and from its storage without', async () => {
    const storage = 'https://mms.twiliocdn.com/AC0/abc?Signature=x';
    const { asked, tools } = respondWith(redirectTo(storage), fileResponse('picture'));
    const file = await fetchFile(media, account, tools);
    expect([file.contentType, Buffer.from(file.body).toString()]).toEqual(['image/png', 'picture']);
    expect(asked).toEqual([
      [media, true],
      [storage, false],
    ]);
  });

  test.each([
    'https://api.twilio.com.evil.example/2010-04-01/x',
    `http://169.254.169.254${path}`,
    `https://evil.example${path}`,
    `https://api.twilio.com/2010-04-01/Accounts/AC${'9'.repeat(32)}/Messages/MM1/Media/ME1`,
    `https://api.twilio.com${path.replace('Messages', '../AC9/Messages')}`,
    'https://api.twilio.com/2010-04-01/Accounts.json',
    'geo:55.7,13.1',
    'not an address',
  ])('is not requested at %s', async (reference) => {
    const { asked, tools } = respondWith();
    await expect(fetchFile(reference, account, tools)).rejects.toMatchObject({ advice: { retry: 'never' } });
    expect(asked).toEqual([]);
  });

  test.each([
    'http://mms.twiliocdn.com/abc',
    'https://twiliocdn.com.evil.example/abc',
    'https://evil.example/abc',
    'https://s3.amazonaws.com/evil-bucket/media.twiliocdn.com/',
    'http://10.0.0.1/',
  ])('is not fetched after a redirect to %s', async (location) => {
    const { asked, tools } = respondWith(redirectTo(location));
    await expect(fetchFile(media, account, tools)).rejects.toMatchObject({
      message: 'The file is not hosted by Twilio.',
    });
    expect(asked).toHaveLength(1);
  });

  test('follows one redirect only', async () => {
    const next = 'https://mms.twiliocdn.com/abc';
    const { asked, tools } = respondWith(redirectTo(next), redirectTo(next), redirectTo(next));
    await expect(fetchFile(media, account, tools)).rejects.toMatchObject({ advice: { retry: 'never' } });
    expect(asked).toHaveLength(2);
  });

  test('is refused above 16 MB, whatever Content-Length says', async () => {
    const said = respondWith(() => new Response('x', { headers: { 'content-length': '16000001' } }));
    await expect(fetchFile(media, account, said.tools)).rejects.toMatchObject({
      message: 'The file is larger than 16 MB.',
    });
    const piece = new Uint8Array(1_000_000);
    let pieces = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1;
        controller.enqueue(piece);
      },
    });
    const { tools } = respondWith(() => new Response(endless));
    await expect(fetchFile(media, account, tools)).rejects.toMatchObject({
      message: 'The file is larger than 16 MB.',
    });
    expect(pieces).toBeLessThan(20);
  });

  test('reports a missing file and a temporary failure as such', async () => {
    const gone = respondWith(() => new Response(null, { status: 404 }));
    await expect(fetchFile(media, account, gone.tools)).rejects.toMatchObject({ advice: { retry: 'never' } });
    const busy = respondWith(() => new Response(null, { status: 503 }));
    await expect(fetchFile(media, account, busy.tools)).rejects.toMatchObject({
      advice: { retry: 'backoff' },
    });
  });
});
