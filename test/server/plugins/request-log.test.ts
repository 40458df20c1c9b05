import { expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const lines: string[] = [];
const { app } = await openTestServer({
  runtime: {
    environment: { LOG_LEVEL: 'info' },
    logged: { write: (line) => void lines.push(line) },
  },
});

async function routeLogged(url: string): Promise<unknown> {
  lines.length = 0;
  await app.inject({ url });
  await expect.poll(() => lines.some((line) => line.includes('request answered'))).toBe(true);
  return JSON.parse(lines.find((line) => line.includes('request answered')) ?? '{}').route;
}

const key = `pk_${'aZ0'.repeat(14)}`;

test.each([
  [`/nothing/${key}?a=${key}`, '/nothing/…'],
  ['/nothing/here', '/nothing/…'],
  ['/nothing?a=b', '/nothing'],
  [`/${key}`, '/[redacted]'],
  [`/${'x'.repeat(500)}`, `/${'x'.repeat(64)}/…`],
])('logs only the first segment of the unknown path %s', async (url, route) => {
  expect(await routeLogged(url)).toBe(route);
  expect(lines.join('\n')).not.toContain(key);
});

test('logs a known route by its pattern', async () => {
  expect(await routeLogged(`/v1/conversations/${key}`)).toBe('/v1/conversations/:conversation_id');
});
