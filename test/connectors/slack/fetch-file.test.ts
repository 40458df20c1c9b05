import { describe, expect, test } from 'vitest';
import { fetchFile } from '../../../connectors/slack/files.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { slackAccount } from '../../helpers/platforms/slack/account.ts';

const account = slackAccount();
const { bot_token: token } = account.credentials;
const address = 'https://files.slack.com/files-pri/T1-F1/download/a.png';
const picture = () => new Response('picture', { headers: { 'content-type': 'image/png' } });

/** Records the requests and their tokens, and returns the given responses in order. */
function fakeSlack(...answers: (() => Response)[]) {
  const requests: string[] = [];
  const tools = connectorTools({
    fetch: async (input, init) => {
      const shown = new Headers(init?.headers).get('authorization');
      requests.push(`${input} ${shown}`);
      return (answers[requests.length - 1] ?? (() => new Response(null, { status: 404 })))();
    },
  });
  return { requests, tools };
}

describe('a file of a visitor', () => {
  test('is downloaded with the bot token', async () => {
    const { requests, tools } = fakeSlack(picture);
    expect(await fetchFile(address, account, tools)).toEqual({
      contentType: 'image/png',
      body: Buffer.from('picture'),
    });
    expect(requests).toEqual([`${address} Bearer ${token}`]);
  });

  test('with only an id is looked up first', async () => {
    const info = () => Response.json({ ok: true, file: { id: 'F0PAPER01', url_private_download: address } });
    const { requests, tools } = fakeSlack(info, picture);
    await fetchFile('F0PAPER01', account, tools);
    expect(requests).toEqual([
      `https://slack.com/api/files.info Bearer ${token}`,
      `${address} Bearer ${token}`,
    ]);
    const gone = fakeSlack(() => Response.json({ ok: false, error: 'file_not_found' }));
    await expect(fetchFile('F0PAPER01', account, gone.tools)).rejects.toMatchObject({
      message: expect.stringContaining('file_not_found'),
      advice: { retry: 'never' },
    });
    const nowhere = fakeSlack(() => Response.json({ ok: true, file: { id: 'F0PAPER01' } }));
    await expect(fetchFile('F0PAPER01', account, nowhere.tools)).rejects.toThrow('not a Slack file');
  });

  test.each([
    () => new Response('<html>Sign in', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    () => new Response(null, { status: 302, headers: { location: 'https://garden.slack.com/?redir=x' } }),
  ])('that the app may not read is refused with the missing scope', async (answer) => {
    const { requests, tools } = fakeSlack(answer, picture);
    await expect(fetchFile(address, account, tools)).rejects.toMatchObject({
      message: expect.stringContaining('files:read'),
      advice: { retry: 'never' },
    });
    expect(requests).toHaveLength(1);
  });

  test('is not read to its end if it is too large', async () => {
    const endless = new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(1_000_000)) });
    const { tools } = fakeSlack(() => new Response(endless));
    await expect(fetchFile(address, account, tools)).rejects.toThrow('larger than 16 MB');
  });

  test.each([
    'https://slack.com.evil.example/x',
    'http://files.slack.com/x',
    'https://10.0.0.1/x',
    'not an address',
  ])('at %s is never requested', async (reference) => {
    const { requests, tools } = fakeSlack(picture);
    await expect(fetchFile(reference, account, tools)).rejects.toThrow('not a Slack file');
    expect(requests).toEqual([]);
  });
});
