import { join } from 'node:path';
import { z } from 'zod';
import { BackupRefusal } from '../../../../core/backup/backup-refusal.ts';
import type { TakenBackup } from '../../../../core/backup/take-backup.ts';
import { systemClock } from '../../../../core/base/clock.ts';
import { type Config, readConfig } from '../../../../core/config/config.ts';
import manifest from '../../../../package.json' with { type: 'json' };
import type { CommandLine, CommonOptions, LocalSession } from '../../command.ts';
import { createCommand } from '../../command.ts';
import { CommandError } from '../../command-error.ts';
import { openRunningServer } from '../../transports/open-api.ts';

export function backup(commandLine: CommandLine) {
  return createCommand('backup', {
    summary: 'back up the database, check a backup',
    about: [
      'Writes a backup into a new folder below --to, also while Parley runs: of the embedded database in DATA_DIR, or with',
      'pg_dump of the one in DATABASE_URL. It has a manifest with the version, the number of rows by table and the SHA-256 of each',
      'file. The encryption key is not in it: store that elsewhere. Run it on the machine of DATA_DIR, with the variables of the',
      'server.',
    ].join(' '),
    examples: [
      ['backup', 'into DATA_DIR/backups'],
      ['backup --to /srv/backups', 'into a folder on another disk'],
      ['backup --to /srv/backups --json', 'the same for a script, which gets the name of the folder'],
    ],
    failure: 'there is no backup; the reason is on standard error',
  })
    .option('--to <folder>', 'the folder for backups; DATA_DIR/backups if absent')
    .action(({ to, ...options }) =>
      runLocally(commandLine, options, async (session) => {
        const config = readConfig(session.environment);
        const taken = await takeConfigured(config, to ?? join(config.DATA_DIR, 'backups'), session);
        printTaken(taken, config, session);
      }),
    )
    .addCommand(verify(commandLine));
}

function verify(commandLine: CommandLine) {
  return createCommand('verify', {
    summary: 'check that a backup is whole',
    about:
      'Compares every file of a backup with its manifest: names, sizes and SHA-256. It needs no database and no key, so it can run where the backups are stored.',
    examples: [
      ['backup verify /srv/backups/parley-20261128T040000Z', 'one line for each fault'],
      ['backup verify /srv/backups/parley-20261128T040000Z --json', 'the same as JSON'],
    ],
    failure: 'the backup is not whole',
  })
    .argument('<folder>', 'the folder of the backup')
    .action((folder, options) =>
      runLocally(commandLine, options, async ({ output }) => {
        const { findFaults, readManifest } = await import('../../../../core/backup/manifest.ts');
        const read = readManifest(folder);
        const faults = read.manifest === null ? [read.fault] : await findFaults(folder, read.manifest);
        output.result({ whole: faults.length === 0, faults }, () => {
          for (const fault of faults) output.line(fault);
        });
        if (faults.length > 0) {
          throw new CommandError(`The backup ${folder} is not whole. Use another one.`, {
            code: 'backup_not_whole',
          });
        }
        output.note(
          `The backup of ${read.manifest?.taken_at} is whole: ${read.manifest?.files.length} files.`,
        );
      }),
    );
}

export function restore(commandLine: CommandLine) {
  return createCommand('restore', {
    summary: 'restore a backup into an empty installation',
    about: [
      'Restores a backup into an empty DATA_DIR, or with pg_restore into the empty database of DATABASE_URL. It refuses a backup',
      'that is not whole or of a newer version, another encryption key, and a target that holds data or is in use. At the end it',
      'compares the number of rows of every table with the manifest. What waited to be sent when the backup was taken is sent at',
      'the next start.',
    ].join(' '),
    examples: [
      ['restore /srv/backups/parley-20261128T040000Z', 'into DATA_DIR or DATABASE_URL'],
      ['restore /srv/backups/parley-20261128T040000Z --json', 'the same for a script'],
    ],
    failure: 'nothing was restored; the reason is on standard error',
  })
    .argument('<folder>', 'the folder of the backup')
    .action((folder, options) =>
      runLocally(commandLine, options, async ({ output, environment, signal }) => {
        const { restoreBackup } = await import('../../../../core/backup/restore-backup.ts');
        const { createLog } = await import('../../../../core/base/log.ts');
        const shared = { environment, signal, log: createLog('silent') };
        const restored = await restoreBackup(folder, { ...shared, config: readConfig(environment) });
        const fields = {
          taken_at: restored.taken_at,
          version: restored.version,
          tables: Object.keys(restored.tables).length,
          rows: Object.values(restored.tables).reduce((sum, count) => sum + count, 0),
        };
        output.result(fields, () => output.record(fields));
        output.note('Everything is there. Start Parley.');
      }),
    );
}

/** These commands work on files and databases of this machine, so `--server` would be ignored. */
async function runLocally(
  commandLine: CommandLine,
  options: CommonOptions,
  work: (session: LocalSession) => Promise<void>,
): Promise<void> {
  if (options.server !== undefined) {
    throw new CommandError('Backups are made on the machine of the server. Leave out --server.', {
      code: 'wrong_usage',
      exitCode: 2,
    });
  }
  await commandLine.run(options, async (session) => {
    try {
      await work(session);
    } catch (error) {
      if (!(error instanceof BackupRefusal)) throw error;
      throw new CommandError(error.message, { code: 'backup_refused' });
    }
  });
}

/** Takes a backup of the database that the configuration names, and records it for `doctor` and the metrics. */
async function takeConfigured(config: Config, to: string, session: LocalSession): Promise<TakenBackup> {
  const { environment, signal } = session;
  const { takeBackup } = await import('../../../../core/backup/take-backup.ts');
  const { recordEmbeddedBackup, recordPostgresBackup } = await import(
    '../../../../core/backup/last-backup.ts'
  );
  const task = { to, now: systemClock.now(), version: manifest.version };
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config;
  if (url !== undefined) {
    const { createLog } = await import('../../../../core/base/log.ts');
    const { fillFromPostgres } = await import('../../../../core/backup/postgres-backup.ts');
    const options = { url, environment, signal, log: createLog('silent') };
    const fill = (folder: string) => fillFromPostgres(folder, options);
    const taken = await takeBackup({ ...task, engine: 'postgres', fill });
    await recordPostgresBackup(options, taken.takenAt);
    return taken;
  }
  const embedded = await import('../../../../core/backup/embedded-backup.ts');
  const api = openRunningServer(config, signal);
  const fill = async (folder: string) => {
    if (api === null) return embedded.fillFromStopped(dataDir, folder);
    const { copy } = copyResponse.parse(await api.call('POST', '/admin/v1/installation/copies'));
    return embedded.fillFromCopy(dataDir, copy, folder);
  };
  const taken = await takeBackup({ ...task, engine: 'embedded', fill });
  recordEmbeddedBackup(dataDir, taken.takenAt);
  return taken;
}

const copyResponse = z.looseObject({ copy: z.string() });

function printTaken(taken: TakenBackup, config: Config, { output }: LocalSession): void {
  const { folder, bytes, tables, rows, keyId } = taken;
  const fields = { folder, taken_at: taken.takenAt.toISOString(), bytes, tables, rows, key_id: keyId };
  output.result(fields, () => output.record(fields));
  const key = config.ENCRYPTION_KEY === undefined ? `${config.DATA_DIR}/encryption-key` : 'ENCRYPTION_KEY';
  output.note(
    `The backup does not hold the encryption key ${keyId}. Store ${key} elsewhere: it is needed to restore.`,
  );
}
