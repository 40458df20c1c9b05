import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fetchFile } from '../../../connectors/intercom/files.ts';
import { normalise } from '../../../connectors/intercom/normalise.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { intercomAccount } from '../../helpers/platforms/intercom/account.ts';
import { intercomFixture } from '../../helpers/platforms/intercom/fixture.ts';

const account = intercomAccount();
const itemSchema = z.object({ data: z.object({ item: z.looseObject({ id: z.string() }) }) });
const conversation = 'https://api.intercom.io/conversations/215400000000001';

/** Returns the reference of a notification's only file, and its conversation as Intercom returns it later. */
function fixtureFile(name: string) {
  const native = intercomFixture(name);
  const [event] = normalise(native, account);
  const [file] = event?.type === 'message' ? event.attachments : [];
  return { reference: file?.reference ?? '', item: itemSchema.parse(native).data.item };
}

/** Records requests and whether they had the token; the API returns `item`, and the storage the given response. */
function fakeIntercom(item: object, storage: () => Response = () => new Response('file')) {
  const requests: [url: string, shown: boolean][] = [];
  const tools = connectorTools({
    fetch: async (input, init) => {
      const url = input.toString();
      requests.push([url, new Headers(init?.headers).has('authorization')]);
      return url.startsWith('https://api.intercom.io/') ? Response.json(item) : storage();
    },
  });
  return { requests, tools };
}

describe('a file of a contact', () => {
  test('is looked up by its message and downloaded from the fresh address without the token', async () => {
    const { reference, item } = fixtureFile('user-replied-with-file');
    const fresh = 'https://downloads.intercomcdn.com/i/o/2/invoice.pdf?expires=1790009999&signature=cd';
    const later = JSON.parse(
      JSON.stringify(item).replace('https://downloads.intercomcdn.com/i/o/2/invoice.pdf', fresh),
    );
    const holding = () => new Response('invoice', { headers: { 'content-type': 'application/pdf' } });
    const { requests, tools } = fakeIntercom(later, holding);
    const { contentType, body } = await fetchFile(reference, account, tools);
    expect([contentType, Buffer.from(body).toString()]).toEqual(['application/pdf', 'invoice']);
    expect(requests.map(([url, shown]) => [url.replace(/^(https:\/\/api.*)\?.*$/, '$1'), shown])).toEqual([
      [conversation, true],
      [fresh, false],
    ]);
  });

  test('may be a picture in the text of the first message', async () => {
    const { reference, item } = fixtureFile('user-created-with-picture');
    const { requests, tools } = fakeIntercom(item);
    await fetchFile(reference, account, tools);
    expect(requests[1]?.[0]).toMatch(/^https:\/\/downloads\.intercomcdn\.com\/i\/o\/1\/leaf\.jpg\?expires=/);
  });

  test.each([
    '215400000000001/9003 http://downloads.intercomcdn.com/i/o/2/invoice.pdf',
    '215400000000001/9003 https://intercomcdn.com.evil.example/i/o/2/invoice.pdf',
    '215400000000001/9003 https://evilintercomcdn.com/i/o/2/invoice.pdf',
    '215400000000001/9003 https://169.254.169.254/latest/meta-data',
    'https://downloads.intercomcdn.com/i/o/2/invoice.pdf',
    '../me/9003 x',
  ])('is not requested for the foreign reference %s', async (reference) => {
    const { requests, tools } = fakeIntercom({});
    await expect(fetchFile(reference, account, tools)).rejects.toMatchObject({ advice: { retry: 'never' } });
    expect(requests).toEqual([]);
  });

  test('that was deleted is reported as deleted', async () => {
    const { reference, item } = fixtureFile('user-replied-with-file');
    const gone = { message: 'The conversation no longer contains the file.', advice: { retry: 'never' } };
    for (const later of [{ ...item, conversation_parts: null }, fixtureFile('user-replied').item]) {
      const { requests, tools } = fakeIntercom(later);
      await expect(fetchFile(reference, account, tools)).rejects.toMatchObject(gone);
      expect(requests).toHaveLength(1);
    }
  });

  test.each([
    [404, 'never'],
    [503, 'backoff'],
  ])('with status %d has the retry advice %s', async (status, retry) => {
    const { reference, item } = fixtureFile('user-replied-with-file');
    const { tools } = fakeIntercom(item, () => new Response(null, { status }));
    await expect(fetchFile(reference, account, tools)).rejects.toMatchObject({ advice: { retry } });
  });

  test('is not read to its end if it is too large', async () => {
    const { reference, item } = fixtureFile('user-replied-with-file');
    const piece = new Uint8Array(1_000_000);
    let pieces = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pieces += 1;
        controller.enqueue(piece);
      },
    });
    const { tools } = fakeIntercom(item, () => new Response(endless));
    await expect(fetchFile(reference, account, tools)).rejects.toThrow('larger than 16 MB');
    expect(pieces).toBeLessThan(20);
  });
});
