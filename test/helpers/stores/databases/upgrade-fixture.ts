import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { z } from 'zod';

const folder = new URL('../../../fixtures/upgrade/', import.meta.url);
const facts = z.object({
  workspaceId: z.string(),
  key: z.string(),
  counts: z.record(z.string(), z.number()),
});

/** The databases of development version 0070 that `make-upgrade-fixture.ts` stores, with rows in every table. */
export const upgradeFixture = {
  /** The key that their secrets are encrypted with. */
  encryptionKey: '0123456789abcdef'.repeat(4),

  /** Their workspace, its API key and the rows of each table. */
  facts(engine: 'embedded' | 'postgres') {
    const parsed = z
      .object({ embedded: facts, postgres: facts })
      .parse(JSON.parse(read('facts.json').toString()));
    return parsed[engine];
  },

  /** Writes the embedded database into an empty data folder. */
  async restoreEmbedded(dataFolder: string): Promise<void> {
    const loadDataDir = new Blob([new Uint8Array(decompress('embedded.tar.zst'))]);
    const database = await PGlite.create({ dataDir: join(dataFolder, 'postgres'), loadDataDir });
    await database.close();
  },

  /** Writes the PostgreSQL database into an empty one. */
  async restorePostgres(url: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(decompress('postgres.sql.zst').toString());
    await client.end();
  },
};

function read(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}

function decompress(name: string): Buffer {
  return zstdDecompressSync(read(name));
}
