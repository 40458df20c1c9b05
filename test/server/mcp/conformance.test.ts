import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { openMcpServer } from '../../helpers/servers/open-mcp-server.ts';

const suite = resolve(import.meta.dirname, '../../../node_modules/.bin/conformance');
const baseline = join(import.meta.dirname, 'conformance-baseline.yml');
const { openWorkspace, addDocument, urlOf } = await openMcpServer();

test("the protocol's own conformance suite reports only the findings that the baseline explains", async () => {
  const { id } = await openWorkspace();
  await addDocument(id, 'Parcels arrive within three working days.');
  // The suite writes its findings to the working directory.
  const folder = mkdtempSync(join(tmpdir(), 'parley-conformance-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(
    process.execPath,
    [suite, 'server', '--url', urlOf(id), '--expected-failures', baseline],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise((done) => child.once('close', done));
  const [told, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(code, told + complaints).toBe(0);
  expect(told).toContain('dns-rebinding-protection');
}, 120_000);
