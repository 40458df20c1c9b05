import { expect, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLog('info', { write: (line: string) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
}

test('a line is one JSON object with its level in words and its time in ISO 8601', () => {
  const [line] = logged((log) => log.info({ document: 'doc_1' }, 'document done'));
  expect(line).toMatchObject({ level: 'info', document: 'doc_1', msg: 'document done' });
  expect(line?.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('a line names the process that it is from', () => {
  const from = { process: 'a1-4711', host: 'a1', role: 'workers answer', version: '1.2.3' };
  const lines: string[] = [];
  createLog('info', { write: (line: string) => void lines.push(line) }, from).info('started');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ ...from, msg: 'started' }]);
});

test('secrets are redacted in any field', () => {
  const text = JSON.stringify(
    logged((log) => {
      log.info({ key: 'geheim', body: { token: 'geheim', user: { hash: 'geheim' } } });
      log.info({ req: { headers: { authorization: 'geheim', cookie: 'geheim' } } });
    }),
  );
  expect(text).not.toContain('geheim');
  expect(text.match(/\[redacted\]/g)).toHaveLength(5);
});

test('secrets are redacted in errors, lists and nested objects', () => {
  const failed = Object.assign(
    new TypeError('no', { cause: Object.assign(new Error(), { secret: 'geheim' }) }),
    {
      request: { options: { headers: { authorization: 'geheim', accept: 'all' } } },
    },
  );
  const text = JSON.stringify(
    logged((log) => {
      log.error({ err: failed }, 'it failed');
      log.error(failed);
      log.warn({ reason: failed.cause });
      log.info({ accounts: [{ id: 1, credentials: { bot_token: 'geheim' } }] });
    }),
  );
  expect(text).not.toContain('geheim');
  expect(text).toContain('accept');
  expect(text.match(/\[redacted\]/g)).toHaveLength(6);
});

test('other values, including missing secrets, are logged unchanged', () => {
  const at = new Date('2026-11-23T10:00:00Z');
  const facts = { list: [1, [2]], at, nothing: null, deep: { a: { b: { c: { d: { e: 1 } } } } } };
  const [line] = logged((log) => log.info({ ...facts, key: undefined, token: null }));
  expect(line).toMatchObject({ ...facts, at: at.toISOString(), token: null });
  expect(line).not.toHaveProperty('key');
});

test('logging does not modify the logged objects', () => {
  const facts = { user: { token: 'mine', list: [{ key: 'k' }] } };
  logged((log) => log.info(facts));
  expect(facts).toEqual({ user: { token: 'mine', list: [{ key: 'k' }] } });
});

test('circular objects are logged', () => {
  const circle: Record<string, unknown> = { key: 'geheim' };
  circle.self = circle;
  const lines = logged((log) => log.info({ circle }));
  expect(JSON.stringify(lines)).not.toContain('geheim');
});

test('an error is logged with its cause', () => {
  const error = new TypeError('outer', { cause: new RangeError('inner') });
  const [line] = logged((log) => log.error({ err: error }, 'it failed'));
  expect(JSON.stringify(line)).toContain('inner');
});

test('a thrown value that is not an error is logged unchanged', () => {
  const thrown = ['a word', null, { code: 7, token: 'geheim' }];
  const lines = logged((log) => {
    for (const err of thrown) log.error({ err });
  });
  expect(lines.map(({ err }) => err)).toEqual(['a word', null, { code: 7, token: '[redacted]' }]);
});

test.each([
  ['an API key', `pk_${'aZ09_-'.repeat(7)}`],
  ["the operator's token", `adm_${'b'.repeat(32)}`],
  ["a visitor's session", `vs_${'c'.repeat(43)}`],
  ['a public token', `pub_${'d'.repeat(24)}`],
  ['an identity secret', `ids_${'e'.repeat(43)}`],
  ['a signing secret', 'whsec_abc+def/ghi=jkl+mno'],
])('%s is redacted in a URL, a query string and an error', (_, secret) => {
  const text = JSON.stringify(
    logged((log) => {
      log.info({ url: `https://help.example/nothing/${secret}?a=1`, list: [`/x?token=${secret}&b=2`] });
      log.error(new TypeError(`no such address: /${secret}`));
      log.warn(`first line\n${secret}`);
    }),
  );
  expect(text).not.toContain(secret);
  expect(text).toContain('https://help.example/nothing/[redacted]');
  expect(text).toContain('token=[redacted]');
});

test('ids and words that resemble a secret are logged unchanged', () => {
  const facts = {
    key_id: 'key_01JABCDEFGHJKMNPQRST',
    visitor: 'vis_01JABCDEFGHJKMNPQRST',
    note: 'a pk_short one',
  };
  expect(logged((log) => log.info(facts))[0]).toMatchObject(facts);
});
