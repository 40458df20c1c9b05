import { expect, test } from 'vitest';
import { FetchError } from '../../../core/base/http-client.ts';
import { ConnectorCalls } from '../../../core/channels/connector-calls.ts';
import type { Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';

const logged: object[] = [];
const log = {
  warn: (facts: object) => void logged.push(facts),
  error: (facts: object) => void logged.push(facts),
};
const account = {
  id: 'chan_1',
  workspaceId: 'ws_1',
  channel: 'fake',
  enabled: true,
  credentials: { token: '123456:a/b', nested: { pass: 'hunter2-hunter2' }, port: '993' },
  settings: {},
  secret: 'secret-of-ours',
  webhookUrl: null,
  profile: {},
  parentId: null,
};
const counted: string[] = [];
const calls = new ConnectorCalls({
  count: (channel, outcome) => void counted.push(`${channel} ${outcome}`),
  clock: { now: () => new Date(0) },
  log,
  resolve: async (host) => [host],
  readFile: async () => null,
  threads: { run: async ({ input }, { owner }) => [owner, input] },
  fetch: (_input, init) =>
    new Promise((_done, failed) =>
      init?.signal?.addEventListener('abort', () => failed(init.signal?.reason), { once: true }),
    ),
  deadlineMs: 20,
});
const faultOf = (error: unknown) => calls.call(account, () => Promise.reject(error)).catch((fault) => fault);

test('passes on the platform’s message and advice, without any secret of the account', async () => {
  const words = 'POST /bot123456:a/b/x?t=123456%3Aa%2Fb with hunter2-hunter2 on 993 and secret-of-ours';
  const advice = { retry: 'after', afterMs: 5 } as const;
  const details = { advice, account: true, untaken: true, cause: account };
  const fault = await faultOf(new ConnectorError(words, details));
  expect(fault).toBeInstanceOf(ConnectorError);
  expect(fault).toMatchObject({
    message: 'POST /bot[secret]/x?t=[secret] with [secret] on 993 and [secret]',
    ...{ advice, account: true, untaken: true },
  });
  expect(fault.cause).toBeUndefined();
});

test('advises a retry if the platform cannot be reached', async () => {
  const fault = await faultOf(new FetchError('address_refused', '10.0.0.1 is not a public address.'));
  expect(fault).toMatchObject({ name: 'ConnectorError', advice: { retry: 'backoff' } });
});

test('hides a defect of the connector from the caller and logs it in full, without secrets', async () => {
  const fault = await faultOf(new TypeError('no field of hunter2-hunter2'));
  expect(fault).toMatchObject({
    name: 'ConnectorError',
    message: expect.stringContaining('See the service log'),
  });
  expect(JSON.stringify(logged)).toMatch(/chan_1.*TypeError: no field of \[secret\]/);
});

test('aborts a call and its requests at the deadline', async () => {
  let aborted: unknown;
  const call = calls.call(account, async ({ fetch, signal }) => {
    await fetch('https://platform.example').catch((error: unknown) => {
      aborted = error;
    });
    expect(signal.aborted).toBe(true);
    await new Promise(() => {});
  });
  await expect(call).rejects.toMatchObject({ message: expect.stringContaining('did not answer') });
  expect(aborted).toMatchObject({ name: 'TimeoutError' });
});

test('aborts what a connector itself aborts', async () => {
  const { fetch } = calls.tools(account, new AbortController().signal);
  const reason = new TypeError('enough');
  await expect(fetch('https://platform.example', { signal: AbortSignal.timeout(1) })).rejects.toThrow();
  const aborting = new AbortController();
  const fetched = fetch('https://platform.example', { signal: aborting.signal });
  aborting.abort(reason);
  await expect(fetched).rejects.toBe(reason);
});

test('runs a thread on behalf of the account that the connector was called for', async () => {
  const worker = new URL('file:///thread.ts');
  const run = (tools: Tools) => tools.runInThread({ worker, input: 'mail', timeoutMs: 1 });
  expect(await calls.call(account, run)).toEqual([account.id, 'mail']);
});

test('counts each call once, with its outcome', async () => {
  counted.length = 0;
  await calls.call(account, async () => {});
  await faultOf(new ConnectorError('no', { advice: { retry: 'never' } }));
  await faultOf(new ConnectorError('later', { advice: { retry: 'after', afterMs: 5 } }));
  await faultOf(new FetchError('address_refused', '10.0.0.1 is not a public address.'));
  await faultOf(new TypeError('ours'));
  await calls.call(account, () => new Promise(() => {})).catch(() => {});
  expect(counted).toEqual(
    ['ok', 'refused', 'retry', 'retry', 'failed', 'retry'].map((outcome) => `fake ${outcome}`),
  );
});
