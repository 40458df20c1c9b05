import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { openStreamServer } from '../../../helpers/servers/open-stream-server.ts';
import { textOf } from '../../../helpers/servers/questions/read-events.ts';

const logged: { level: number }[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
const secret = 'connection to 10.0.0.7 refused for user parley';
const failure: { thrown: Error } = { thrown: new TypeError(secret) };

const writer: AnswerWriter = {
  async *write() {
    yield { text: 'Within ' };
    throw failure.thrown;
  },
};
const server = await openStreamServer({ writer, alter: () => ({ log }) });

const storedMessages = () => server.runtime.database.kysely.selectFrom('message').select('id').execute();

beforeEach(() => {
  logged.length = 0;
  failure.thrown = new TypeError(secret);
});

test('a failed answer ends with an error frame without its cause, which is logged once', async () => {
  const frames = await server.frames();
  expect(textOf(frames)).toBe('Within ');
  expect(frames.at(-1)).toEqual({
    error: 'Something went wrong on our side. Retry, and include the request_id if you contact support.',
    done: true,
    code: 'internal_error',
    request_id: expect.stringMatching(/^req_/),
  });
  const errors = logged.filter(({ level }) => level >= 50);
  expect(errors).toHaveLength(1);
  expect(JSON.stringify(errors)).toContain(secret);
});

test('a public error has its own code', async () => {
  failure.thrown = new AppError('model_provider_error');
  expect((await server.frames()).at(-1)).toMatchObject({ done: true, code: 'model_provider_error' });
});

test('a failed answer is neither stored nor counted', async () => {
  const before = await server.messagesCounted();
  await server.frames();
  expect(await storedMessages()).toEqual([]);
  expect(await server.messagesCounted()).toBe(before);
});

test('a failure before the first frame is an ordinary error response', async () => {
  const before = await server.messagesCounted();
  server.stores.recalling = () => Promise.reject(new RangeError(secret));
  const response = await server.post({ conversation_id: 'conv_1' });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    detail: 'Something went wrong on our side. Retry, and include the request_id if you contact support.',
    code: 'internal_error',
    request_id: response.headers.get('x-request-id'),
  });
  expect(await server.messagesCounted()).toBe(before);
});
