import { describe, expect, test } from 'vitest';
import { fetchFile } from '../../../../connectors/twilio/messaging/files.ts';
import { connectorTools } from '../../../helpers/connector-tools.ts';
import { twilioAccount } from '../../../helpers/twilio-account.ts';

const account = twilioAccount();
const path = `/2010-04-01/Accounts/${account.credentials.account_sid}/Messages/MM1/Media/ME1`;
const media = `https://api.twilio.com${path}`;

/** What is asked, with whether credentials were shown, of a web that answers so. */
function webThat(...answers: (() => Response)[]) {
  const asked: [url: string, shown: boolean][] = [];
  const tools = connectorTools({
    fetch: async (input, init) => {
      asked.push([input.toString(), new Headers(init?.headers).has('authorization')]);
      return (answers[asked.length - 1] ?? (() => new Response(null, { status: 404 })))();
    },
  });
  return { asked, tools };
}
const leading = (location: string) => () => new Response(null, { status: 307, headers: { location } });
const holding = (text: string) => () => new Response(text, { headers: { 'content-type': 'image/png' } });

describe('a file of a visitor', () => {
  test('is asked of Twilio with the credentials, and of its storage without', async () => {
    const storage = 'https://mms.twiliocdn.com/AC0/abc?Signature=x';
    const { asked, tools } = webThat(leading(storage), holding('picture'));
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
  ])('at %s is not asked for', async (reference) => {
    const { asked, tools } = webThat();
    await expect(fetchFile(reference, account, tools)).rejects.toMatchObject({ advice: { retry: 'never' } });
    expect(asked).toEqual([]);
  });

  test.each([
    'http://mms.twiliocdn.com/abc',
    'https://twiliocdn.com.evil.example/abc',
    'https://evil.example/abc',
    'https://s3.amazonaws.com/evil-bucket/media.twiliocdn.com/',
    'http://10.0.0.1/',
  ])('is not fetched where Twilio leads to %s', async (place) => {
    const { asked, tools } = webThat(leading(place));
    await expect(fetchFile(media, account, tools)).rejects.toMatchObject({
      message: 'The file is not hosted by Twilio.',
    });
    expect(asked).toHaveLength(1);
  });

  test('is followed once, and no further', async () => {
    const next = 'https://mms.twiliocdn.com/abc';
    const { asked, tools } = webThat(leading(next), leading(next), leading(next));
    await expect(fetchFile(media, account, tools)).rejects.toMatchObject({ advice: { retry: 'never' } });
    expect(asked).toHaveLength(2);
  });

  test('that is larger than 16 MB is refused, whatever it says of its size', async () => {
    const said = webThat(() => new Response('x', { headers: { 'content-length': '16000001' } }));
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
    const { tools } = webThat(() => new Response(endless));
    await expect(fetchFile(media, account, tools)).rejects.toMatchObject({
      message: 'The file is larger than 16 MB.',
    });
    expect(pieces).toBeLessThan(20);
  });

  test('that Twilio does not have any more, or cannot hand out now, is refused as that', async () => {
    const gone = webThat(() => new Response(null, { status: 404 }));
    await expect(fetchFile(media, account, gone.tools)).rejects.toMatchObject({ advice: { retry: 'never' } });
    const busy = webThat(() => new Response(null, { status: 503 }));
    await expect(fetchFile(media, account, busy.tools)).rejects.toMatchObject({
      advice: { retry: 'backoff' },
    });
  });
});
