import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import type { SentPartBatcher } from '../channels/outbound/sent-batches.ts';
import { openSentJournal, type SentJournal } from '../channels/outbound/sent-journal.ts';
import type { Config } from '../config/config.ts';
import type { ProcessRegistry } from '../storage/process-registry.ts';

interface JournalOptions {
  readonly config: Pick<Config, 'DATA_DIR'>;
  readonly log: Pick<Logger, 'info'>;
  readonly sentPartBatcher: SentPartBatcher;
  readonly processes: ProcessRegistry;
  readonly alone: boolean;
  readonly databaseId: string;
  readonly isNews: (what: string) => boolean;
}

const journalWarning =
  'DATA_DIR is not writable: messages being sent when this process is killed may be sent twice';

/** One journal for each database, because a folder can be used with different databases over time. */
export async function openJournal({
  config,
  log,
  isNews,
  alone,
  databaseId,
  sentPartBatcher,
  processes,
}: JournalOptions): Promise<SentJournal> {
  return openSentJournal({
    folder: join(config.DATA_DIR, alone ? 'sent' : `sent-${databaseId}`),
    processId: processes.id,
    lives: (processId) => processes.isAlive(processId),
    settle: (sent) => sentPartBatcher.settle(sent),
    warn: (err) => {
      if (isNews(journalWarning)) log.info({ err }, journalWarning);
    },
  });
}
