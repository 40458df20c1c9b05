import { expect, test } from 'vitest';
import { createLog } from '../../core/log.ts';

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

test('secrets are redacted wherever they stand', () => {
  const text = JSON.stringify(
    logged((log) => {
      log.info({ key: 'geheim', body: { token: 'geheim', user: { hash: 'geheim' } } });
      log.info({ req: { headers: { authorization: 'geheim', cookie: 'geheim' } } });
    }),
  );
  expect(text).not.toContain('geheim');
  expect(text.match(/\[redacted\]/g)).toHaveLength(5);
});

test('an error is logged with its cause', () => {
  const error = new TypeError('outer', { cause: new RangeError('inner') });
  const [line] = logged((log) => log.error({ err: error }, 'it failed'));
  expect(JSON.stringify(line)).toContain('inner');
});
