import type { DestinationStream } from 'pino';
import { afterAll } from 'vitest';
import type { Clock, Wait } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { varyRule } from '../../../core/base/rules.ts';
import { type Config, readConfig } from '../../../core/config/config.ts';
import type { AnyConnector } from '../../../core/contract/connector.ts';
import type { DnsRecords } from '../../../core/contract/mail/mailbox-setup.ts';
import type { ResolveTxt } from '../../../core/members/identity/domain-proofs.ts';
import { openRuntime, type Runtime } from '../../../core/runtime/runtime.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { openSocketTools } from '../../../workers/answer/live-answer.ts';
import { lendEmbedder } from '../models/embedding/lend-embedder.ts';
import { lendReader } from '../models/lend-reader.ts';
import { borrowDatabase } from '../stores/databases/borrow-database.ts';
import { emptyTestFolder } from '../stores/databases/test-data-folder.ts';

// On a busy machine, answers must not depend on how many passages were read in time.
varyRule('search.readerDeadlineMs', 60_000);

export interface TestRuntimeOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly wait?: Wait;
  /** The channels that there are; none when absent. */
  readonly connectors?: readonly AnyConnector[];
  /** The DNS of the test. Without it, names have no records. */
  readonly resolveTxt?: ResolveTxt;
  /** The same for the servers of mailboxes. */
  readonly dns?: DnsRecords;
  /** Where the log goes; nowhere when absent. */
  readonly logged?: DestinationStream;
}

export function testConfig(environment: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ PORT: '0', ADMIN_TOKEN: 'a-token-for-the-tests', LOG_LEVEL: 'silent', ...environment });
}

/** Opens everything but servers and workers, on an embedded database of its own; closed after the test file. */
export async function openTestRuntime(options: TestRuntimeOptions = {}): Promise<Runtime> {
  const config = testConfig({ DATA_DIR: emptyTestFolder(), ...options.environment });
  const { connectors = [] } = options;
  const findConnector = (channel: string) => connectors.find(({ manifest }) => manifest.channel === channel);
  const runtime = await openRuntime(config, createLog(config.LOG_LEVEL, options.logged), {
    ...(options.clock && { clock: options.clock }),
    ...(options.wait && { wait: options.wait }),
    connectors: { connectors, findConnector },
    openSocketTools: openSocketTools,
    resolveTxt: options.resolveTxt ?? (async () => []),
    dns: options.dns ?? { srv: async () => [], mx: async () => [] },
    openDatabase: (settings, log) =>
      settings.DATABASE_URL ? openDatabase(settings, log) : borrowDatabase(settings.DATA_DIR),
    openEmbedder: lendEmbedder,
  });
  afterAll(() => runtime.close());
  // The runtime's own reader has no thread before it reads. No other reader can read pictures.
  return config.OCR === 'off' ? { ...runtime, reader: lendReader() } : runtime;
}
