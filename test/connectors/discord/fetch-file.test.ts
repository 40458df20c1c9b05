import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fetchFile } from '../../../connectors/discord/files.ts';
import { normalise } from '../../../connectors/discord/normalise.ts';
import type { Tools } from '../../../core/contract/account.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { accountOn } from '../../helpers/platforms/discord/account.ts';
import { discordFixture } from '../../helpers/platforms/discord/fixture.ts';
import { openDiscordStandIn } from '../../helpers/platforms/discord/open-stand-in.ts';
import { fixtureAccount } from './contract-hooks.ts';

/** Returns a fixture's message and the reference of its only file. */
function fixtureMessage(name: string) {
  const native = discordFixture(name);
  const [event] = normalise(native, fixtureAccount);
  const [file] = event?.type === 'message' ? event.attachments : [];
  const message = z.object({ d: z.record(z.string(), z.unknown()) }).parse(native).d;
  return { reference: file?.reference ?? '', message };
}

/** Records requests and whether they had the token; the API returns `message`, and the storage the given response. */
function fakeDiscord(message: object, storage: () => Response = () => new Response('file')) {
  const requests: [url: string, shown: boolean][] = [];
  const fetch: Tools['fetch'] = async (input, init) => {
    const url = input.toString();
    requests.push([url, new Headers(init?.headers).has('authorization')]);
    return url.startsWith('https://discord.com/') ? Response.json(message) : storage();
  };
  return { requests, tools: connectorTools({ fetch }) };
}

const withAddress = (message: object, url: string) => ({
  ...message,
  attachments: [{ id: '1350000000000000900', filename: 'rose.jpg', size: 1, url }],
});

describe('a file of a visitor', async () => {
  const discord = await openDiscordStandIn();
  const account = accountOn(discord);
  const ana = discord.world.newPerson('Ana');
  const tools = connectorTools({ now: () => new Date() });

  function sent() {
    const room = discord.direct();
    const message = discord.say(room, ana, '', {
      attachments: [discord.file('rose.txt', { body: 'a rose' })],
    });
    const native = JSON.parse(JSON.stringify({ t: 'MESSAGE_CREATE', d: message }));
    const [event] = normalise(native, account);
    const [file] = event?.type === 'message' ? event.attachments : [];
    return { room, message, reference: file?.reference ?? '' };
  }

  test('is downloaded from the current address in its message', async () => {
    const { message, reference } = sent();
    for (let time = 0; time < 2; time += 1) {
      const { body } = await fetchFile(reference, account, tools);
      expect(Buffer.from(body).toString()).toBe('a rose');
    }
    expect((await fetch(message.attachments[0]?.url ?? '')).status).toBe(404);
  });

  test('of a deleted message is reported as deleted', async () => {
    const { room, message, reference } = sent();
    discord.world.messages.set(room.id, []);
    await expect(fetchFile(reference, account, tools)).rejects.toMatchObject({
      message: 'Unknown Message',
      advice: { retry: 'never' },
    });
    discord.world.messages.set(room.id, [{ ...message, attachments: [] }]);
    await expect(fetchFile(reference, account, tools)).rejects.toMatchObject({
      message: 'The message no longer contains the file.',
      advice: { retry: 'never' },
    });
  });

  test('sends the token to the API but not to the storage', async () => {
    const { reference, message } = fixtureMessage('direct-picture');
    const url = 'https://cdn.discordapp.com/attachments/1/2/rose.jpg?ex=2&is=1&hm=f';
    const { requests, tools } = fakeDiscord(withAddress(message, url));
    await fetchFile(reference, fixtureAccount, tools);
    expect(requests).toEqual([
      ['https://discord.com/api/v10/channels/930000000000000001/messages/1350000000000000019', true],
      [url, false],
    ]);
  });

  test.each([
    'http://cdn.discordapp.com/attachments/1/2/rose.jpg',
    'https://cdn.discordapp.com.evil.example/rose.jpg',
    'https://169.254.169.254/latest/meta-data',
    'not an address',
  ])('is not downloaded from the foreign address %s', async (url) => {
    const { reference, message } = fixtureMessage('direct-picture');
    const { requests, tools } = fakeDiscord(withAddress(message, url));
    await expect(fetchFile(reference, fixtureAccount, tools)).rejects.toThrow('not one of Discord');
    expect(requests).toHaveLength(1);
  });

  test.each([
    'https://cdn.discordapp.com/attachments/1/2/rose.jpg',
    '../users/@me',
    '1/2/3/4',
    'sticker:../../x.png',
    '',
  ])('is not requested for the malformed reference %j', async (reference) => {
    const { requests, tools } = fakeDiscord({});
    await expect(fetchFile(reference, fixtureAccount, tools)).rejects.toMatchObject({
      advice: { retry: 'never' },
    });
    expect(requests).toEqual([]);
  });

  test('that is a sticker has a fixed address', async () => {
    const { reference } = fixtureMessage('direct-sticker');
    const { requests, tools } = fakeDiscord({});
    await fetchFile(reference, fixtureAccount, tools);
    expect(requests).toEqual([['https://cdn.discordapp.com/stickers/1350000000000000902.png', false]]);
  });

  test.each([
    [302, 'never'],
    [404, 'never'],
    [503, 'backoff'],
  ])('with status %d has the retry advice %s', async (status, retry) => {
    const { reference, message } = fixtureMessage('direct-picture');
    const url = 'https://cdn.discordapp.com/attachments/1/2/rose.jpg';
    const headers = { location: 'http://10.0.0.1/' };
    const { requests, tools } = fakeDiscord(
      withAddress(message, url),
      () => new Response(null, { status, headers }),
    );
    await expect(fetchFile(reference, fixtureAccount, tools)).rejects.toMatchObject({ advice: { retry } });
    expect(requests).toHaveLength(2);
  });

  test('of a forwarded message is found', async () => {
    const { reference, message } = fixtureMessage('direct-forwarded');
    const { requests, tools } = fakeDiscord(message);
    await fetchFile(reference, fixtureAccount, tools);
    expect(requests[1]).toEqual(['https://cdn.discordapp.com/attachments/3/4/sign.jpg?ex=1', false]);
  });

  test('that is too large is not read to its end', async () => {
    const { reference, message } = fixtureMessage('direct-picture');
    let pieces = 0;
    const endless = new ReadableStream({
      pull: (body) => {
        pieces += 1;
        body.enqueue(new Uint8Array(1_000_000));
      },
    });
    const url = 'https://cdn.discordapp.com/attachments/1/2/rose.jpg';
    const { tools } = fakeDiscord(withAddress(message, url), () => new Response(endless));
    await expect(fetchFile(reference, fixtureAccount, tools)).rejects.toThrow('larger than 16 MB');
    expect(pieces).toBeLessThan(20);
  });
});
