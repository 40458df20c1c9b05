import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** How a step of a migration runs; core/storage/schema/README.md tells which one to choose. */
const stepKinds = ['transaction', 'with functions', 'online', 'batches'] as const;
type StepKind = (typeof stepKinds)[number];

/** A part of a migration that is applied and recorded as one. */
export interface MigrationStep {
  /** The file and the number of the step in it, such as `0083-inbox/2`. */
  readonly name: string;
  readonly kind: StepKind;
  readonly text: string;
}

export interface Migration {
  /** The name of its file. */
  readonly name: string;
  readonly steps: readonly MigrationStep[];
}

/** The text of the files in `schema/`, whose README says when each of them runs. */
export interface Schema {
  readonly migrationTable: string;
  readonly tables: string;
  /** The migrations in the order in which they are applied. */
  readonly migrations: readonly Migration[];
  readonly functions: string;
  readonly triggers: string;
}

/** The rows of the table `migration`: names with the hash that `functions` and `triggers` have. */
export type AppliedNames = ReadonlyMap<string, string | null>;

const folder = new URL('../schema/', import.meta.url);

/** Files of `schema/tables`, each after those that its foreign keys name. */
const tableFiles = [
  'workspaces',
  'members',
  'sources',
  'knowledge',
  'channels',
  'conversations',
  'pipeline',
  'visitors',
  'webhooks',
  'limits',
  'inbox',
  'changes',
  'evaluation',
  'tickets',
  'insights',
];

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
    migrations: migrations.map(({ name, text }) => ({ name, steps: parseSteps(name, text) })),
    functions: functions.map(({ text }) => text).join('\n'),
    triggers,
  };
}

/**
 * Splits a migration at its lines `-- step: <kind>`. The text before the first of them is a transaction. Throws a
 * TypeError for an unknown kind.
 */
export function parseSteps(file: string, text: string): readonly MigrationStep[] {
  const [first = '', ...others] = text.split(/^-- step: /m);
  const parts = others.map((part) => {
    const end = part.indexOf('\n');
    const kind = stepKinds.find((known) => known === part.slice(0, end).trim());
    if (kind === undefined) throw new TypeError(`unknown kind of step in ${file}: ${part.slice(0, end)}`);
    return { kind, text: part.slice(end) };
  });
  const begin = others.length > 0 && statementsIn(first).length === 0 ? [] : [{ text: first }];
  return [...begin.map((part) => ({ kind: 'transaction' as const, ...part })), ...parts].map(
    (part, index) => ({ name: `${file}/${index + 1}`, ...part }),
  );
}

/** The statements of a text whose statements each end with a semicolon at the end of a line. Without comments. */
export function statementsIn(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** Every name that the table `migration` of a database of this version can have. */
export function knownNames({ migrations }: Schema): readonly string[] {
  const steps = migrations.flatMap(({ name, steps }) => [name, ...steps.map((step) => step.name)]);
  return ['baseline', 'functions', 'triggers', ...steps];
}

/** True if nothing is left to apply. */
export function isComplete(schema: Schema, applied: AppliedNames): boolean {
  return (
    schema.migrations.every(({ name }) => applied.has(name)) &&
    applied.get('functions') === hashText(schema.functions) &&
    applied.get('triggers') === hashText(schema.triggers)
  );
}

/** SHA-256, lower-case hexadecimal. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

interface SchemaFile {
  readonly name: string;
  readonly text: string;
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
