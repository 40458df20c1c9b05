import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../../core/base/log.ts';
import { readConfig } from '../../../../core/config/config.ts';
import { openRuntime } from '../../../../core/runtime/runtime.ts';
import { buildApp } from '../../../../server/app.ts';

/** What a server with no configuration of its own answers at /openapi.json. */
export async function apiDescription(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-description-'));
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const runtime = await openRuntime(config, createLog(config.LOG_LEVEL));
  const app = buildApp(runtime);
  try {
    return (await app.inject({ method: 'GET', url: '/openapi.json' })).body;
  } finally {
    await app.close();
    await runtime.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
