import type { Runtime } from '../runtime.ts';

export interface IngestPlace {
  readonly database: Pick<Runtime['database'], 'engine'>;
  readonly processes: Pick<Runtime['processes'], 'id'>;
}

interface Wanted {
  readonly id: string;
  readonly revision: number;
  readonly status: string;
}

/**
 * The id of the job for what is to be done with a document: there is one at a time. Where no other process can be at work
 * those of one that died say nothing, and are not waited for.
 */
export function ingestJob({ database, processes }: IngestPlace, { id, revision, status }: Wanted): string {
  const process = database.engine === 'embedded' ? `-${processes.id}` : '';
  return `${id}-${revision}-${status === 'deleted' ? 'removal' : 'indexing'}${process}`;
}
