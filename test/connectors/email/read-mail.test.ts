import { expect, test } from 'vitest';
import { normalise } from '../../../connectors/email/normalise.ts';
import { readMail } from '../../../connectors/email/parsing/read-mail.ts';
import { ThreadError, type ThreadFault } from '../../../core/contract/threads.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';
import { processorMs } from '../../helpers/processor-ms.ts';

const head = [
  'From: Anna Lind <anna@lind.example>',
  'To: help@shop.example',
  'Subject: Re: Broken pot',
  'Message-ID: <pot@lind.example>',
  'In-Reply-To: <answer@shop.example>',
];
const rawMail = (body: string, headers: readonly string[] = head) => {
  const source = Buffer.from([...headers, '', body].join('\r\n'));
  return {
    ...{ uid: 7, uidValidity: '1', receivedAt: '2026-09-21T12:00:00.000Z', isCut: false },
    ...{ bytes: source.length, source },
  };
};
const threaded = { lane: 'a'.repeat(20), begins: false, joinedBy: null };
/** Fails the first tasks of a thread with this fault. */
const failingThreads = (fault: ThreadFault, times: number) => {
  const tools = connectorTools();
  let left = times;
  const runInThread: typeof tools.runInThread = async (task) => {
    left -= 1;
    if (left >= 0) throw new ThreadError(fault, 'It broke.');
    return tools.runInThread(task);
  };
  return { ...tools, runInThread };
};

test('parses an ordinary mail', async () => {
  expect(await readMail(rawMail('It is broken.'), connectorTools())).toMatchObject({
    from: { name: 'Anna Lind', address: 'anna@lind.example' },
    subject: 'Re: Broken pot',
    messageId: 'pot@lind.example',
    text: expect.stringContaining('It is broken.'),
    isUnread: false,
  });
});

test('converts the HTML of a mail without text in the thread as well', async () => {
  const headers = [...head, 'Content-Type: text/html'];
  const mail = await readMail(rawMail('<p>It <b>is</b> broken.</p>', headers), connectorTools());
  expect(mail).toMatchObject({ text: '', htmlText: 'It is broken.' });
  const [event] = normalise({ ...mail, ...threaded }, emailAccount());
  expect(event).toMatchObject({ text: 'It is broken.' });
});

test('megabytes of line ends cost this thread no more than an ordinary mail of that size', async () => {
  const tools = connectorTools();
  const size = 10_000_000;
  const attachment = `${'QUJD'.repeat(19)}\r\n`;
  const ordinary = rawMail(attachment.repeat(size / attachment.length), [
    ...head,
    ...['MIME-Version: 1.0', 'Content-Type: application/pdf', 'Content-Transfer-Encoding: base64'],
  ]);
  const hostile = rawMail('\r\n'.repeat(size / 2));
  // Starts the thread.
  await readMail(rawMail('It is broken.'), tools);
  const usual = await processorMs(() => readMail(ordinary, tools));
  const meanwhile: number[] = [];
  const timer = setInterval(() => meanwhile.push(performance.now()), 20);
  const spent = await processorMs(async () => expect(await readMail(hostile, tools)).toBeDefined());
  clearInterval(timer);
  expect(spent).toBeLessThan(10 * usual);
  expect(meanwhile.length).toBeGreaterThan(10);
});

test.each(['timed_out', 'out_of_memory', 'crashed'] as const)(
  'a mail whose parsing %s is reduced to its headers, logged once and given to an agent',
  async (fault) => {
    const tools = failingThreads(fault, 1);
    const mail = await readMail(rawMail('It is broken.'), tools);
    expect(tools.warned).toEqual(['reading a mail failed']);
    expect(mail).toMatchObject({
      from: { name: 'Anna Lind', address: 'anna@lind.example' },
      messageId: 'pot@lind.example',
      inReplyTo: ['answer@shop.example'],
      text: '',
      isUnread: true,
    });
    const [event] = normalise({ ...mail, ...threaded }, emailAccount());
    expect(event).toMatchObject({
      type: 'message',
      text: 'Re: Broken pot',
      parked: 'the mail could not be read',
      command: 'human',
      attachments: [{ name: 'the whole mail, which could not be read', reference: '1/7/' }],
    });
  },
);

test('an automatic reply that cannot be read is neither answered nor given to an agent', async () => {
  const mail = await readMail(
    rawMail('x', [...head, 'Auto-Submitted: auto-replied']),
    failingThreads('crashed', 1),
  );
  const [event] = normalise({ ...mail, ...threaded }, emailAccount());
  expect(event).toMatchObject({ sender: { kind: 'machine' }, parked: 'automatic reply', command: null });
});

test('takes sender and subject from the first lines if even the headers cannot be parsed', async () => {
  const mail = await readMail(rawMail('It is broken.'), failingThreads('timed_out', 2));
  expect(mail).toMatchObject({
    from: { address: 'anna@lind.example' },
    subject: 'Re: Broken pot',
    isUnread: true,
  });
});

test('reads the mail again later if the threads are unavailable', async () => {
  await expect(readMail(rawMail('x'), failingThreads('unavailable', 9))).rejects.toMatchObject({
    name: 'ConnectorError',
    advice: { retry: 'backoff' },
  });
});
