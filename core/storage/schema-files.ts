import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('./schema/', import.meta.url);

/** Files of `schema/tables`, each after those that its foreign keys name. */
const tableFiles = [
  'workspaces',
  'knowledge',
  'channels',
  'conversations',
  'pipeline',
  'visitors',
  'webhooks',
  'limits',
];

interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

/** The text of the files in `schema/`, whose README says when each of them runs. */
export interface Schema {
  readonly migrationTable: string;
  readonly tables: string;
  /** In the order in which they are applied. */
  readonly migrations: readonly SchemaFile[];
  readonly functions: string;
  readonly triggers: string;
}

/** Reads the schema of this version. */
export async function readSchema(): Promise<Schema> {
  const [migrationTable, tables, migrations, functions, triggers] = await Promise.all([
    readSql('tables/migration.sql'),
    Promise.all(tableFiles.map((name) => readSql(`tables/${name}.sql`))),
    readFolder('migrations/'),
    readFolder('functions/'),
    readSql('triggers.sql'),
  ]);
  return {
    migrationTable,
    tables: tables.join('\n'),
    migrations,
    functions: functions.map(({ text }) => text).join('\n'),
    triggers,
  };
}

async function readFolder(path: string): Promise<readonly SchemaFile[]> {
  const files = (await readdir(new URL(path, folder))).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => ({ name: file.replace('.sql', ''), text: await readSql(path + file) })),
  );
}

function readSql(path: string): Promise<string> {
  return readFile(new URL(path, folder), 'utf8');
}
