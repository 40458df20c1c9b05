import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runProduct } from '../../helpers/servers/processes/run-product.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const files = 60;
const adminToken = 'a-token-for-the-tests';

const runSchema = z.object({
  state: z.string(),
  waiting: z.number(),
  counts: z.object({ listed: z.number(), added: z.number(), removed: z.number(), failed: z.number() }),
});
const sourceSchema = z.object({ id: z.string(), documents: z.number(), last_run: runSchema });

describe.each(testEngines)('a process that is killed while it reads a source, on %s', async (engine) => {
  const folder = join(emptyTestFolder(), 'handbook');
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < files; at += 1) {
    writeFileSync(
      join(folder, `page-${at}.md`),
      `# Page ${at}\n\nOn page ${at} the kettle has part ${at}.\n`,
    );
  }
  const environment = {
    ...{ DATA_DIR: emptyTestFolder(), ADMIN_TOKEN: adminToken, SOURCE_FOLDERS: folder },
    ...(engine === 'postgres' && { DATABASE_URL: await createDatabase() }),
  };

  async function call(address: string, method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${address}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  /** A folder of SOURCE_FOLDERS is for the first owner. */
  async function firstOwner(address: string): Promise<{ readonly owner?: string }> {
    const listed = z
      .object({ workspaces: z.array(z.object({ owner: z.string() })) })
      .parse(await call(address, 'GET', '/workspaces'));
    const owner = listed.workspaces.at(-1)?.owner;
    return owner === undefined ? {} : { owner };
  }

  test('leaves a run that the next one finishes, with one document for each item', async () => {
    let parley = await runProduct(environment);
    const workspace = z.object({ id: z.string() }).parse(
      await call(parley.address, 'POST', '/workspaces', {
        name: 'Shop',
        ...(await firstOwner(parley.address)),
      }),
    ).id;
    const path = `/workspaces/${workspace}/sources`;
    const body = { name: 'Handbook', kind: 'folder', settings: { path: folder } };
    const { id } = sourceSchema.parse(await call(parley.address, 'POST', path, body));
    const look = async () => sourceSchema.parse(await call(parley.address, 'GET', `${path}/${id}`));
    await expect
      .poll(async () => (await look()).last_run.counts.added, { timeout: 60_000 })
      .toBeGreaterThan(20);
    await parley.end('SIGKILL');
    parley = await runProduct(environment);
    const { last_run: interrupted } = await look();
    expect(interrupted).toMatchObject({ state: 'running' });
    expect(interrupted.waiting).toBeGreaterThan(0);
    await expect
      .poll(async () => (await look()).last_run.state, { timeout: 300_000, interval: 500 })
      .toBe('finished');
    const { last_run: run, documents } = await look();
    expect(run.counts).toEqual({ listed: files, added: files, removed: 0, failed: 0 });
    expect(documents).toBe(files);
    expect(await parley.end('SIGTERM')).toBe(0);
  }, 480_000);
});
