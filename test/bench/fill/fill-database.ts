import { systemClock } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { openInstallation } from '../../../core/secrets/installation.ts';
import { type Database, openDatabase } from '../../../core/storage/database.ts';
import { Settings } from '../../../core/storage/settings.ts';
import { vacuum } from '../../../core/storage/vacuum.ts';
import { Workspaces } from '../../../core/workspaces/workspaces.ts';
import { SEARCH_TABLES } from '../../../workers/ingest/worker.ts';
import { type IndexSize, smallWorkspaceChunks } from '../contenders/contender.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { fillWorkspace } from './fill-workspace.ts';
import { withGraphBuiltAtOnce } from './with-graph-built-at-once.ts';

export const largeWorkspace = 'large';

export function smallWorkspace(index: number): string {
  return `small ${index}`;
}

/** An embedded database as the product has it after indexing the chunks. */
export async function fillDatabase(folder: string, corpus: Corpus, size: IndexSize): Promise<void> {
  const config = readConfig({ DATA_DIR: folder });
  const database = await openDatabase(config, createLog('warn'));
  try {
    const { secretBox } = await openInstallation(config, new Settings(database.kysely));
    const workspaces = new Workspaces({ database: database.kysely, secretBox, clock: systemClock });
    await withGraphBuiltAtOnce(database, () => fillWorkspaces({ database, workspaces, corpus }, size));
    await vacuum(database, SEARCH_TABLES);
  } finally {
    await database.close();
  }
}

interface Filling {
  readonly database: Database;
  readonly workspaces: Workspaces;
  readonly corpus: Corpus;
}

async function fillWorkspaces({ database, workspaces, corpus }: Filling, size: IndexSize): Promise<void> {
  const fill = async (name: string, first: number, chunks: number) => {
    const { workspace } = await workspaces.create({ name, plan: 'enterprise' });
    await fillWorkspace(database, { workspaceId: workspace.id, corpus, first, chunks });
  };
  await fill(largeWorkspace, 0, size.chunks);
  for (let index = 0; index < size.smallWorkspaces; index++) {
    await fill(smallWorkspace(index), size.chunks + index * smallWorkspaceChunks, smallWorkspaceChunks);
  }
}
