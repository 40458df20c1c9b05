import type { Kysely } from 'kysely';
import { Together } from '../../storage/micro-batcher.ts';
import { prepared } from '../../storage/prepared.ts';
import type { Tables } from '../../storage/tables.ts';

interface VersionRow {
  readonly workspace_id: string;
  readonly version: string;
}

const find = prepared<VersionRow>('select workspace_id, version from corpus where workspace_id = any($1)');

/** Tells which state of its documents a workspace answers from now; who asks together is told together. */
export class CorpusVersions {
  readonly #asked: Together<'versions', string, string | null>;

  constructor(database: Kysely<Tables>) {
    this.#asked = new Together({
      nameOf: (name) => name,
      run: async (_, workspaceIds) => {
        const rows = await find(database, [workspaceIds]);
        const versions = new Map(rows.map((row) => [row.workspace_id, row.version]));
        return (workspaceId) => versions.get(workspaceId) ?? null;
      },
    });
  }

  /** Null where nothing was ever indexed. */
  of(workspaceId: string): Promise<string | null> {
    return this.#asked.ask('versions', workspaceId);
  }
}
