import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import ts from '../../helpers/code/typescript-api.ts';
import { openUnusedDatabase } from '../../helpers/stores/databases/test-databases.ts';

const storage = new URL('../../../core/storage/', import.meta.url);
const { kysely } = await openUnusedDatabase('embedded');

const functionFiles = readdirSync(new URL('schema/functions/', storage)).map((name) =>
  readFileSync(new URL(`schema/functions/${name}`, storage), 'utf8'),
);

test('each function stands in the files exactly once, and in a new database', async () => {
  const written = functionFiles
    .flatMap((text) => [...text.matchAll(/^create or replace function (\w+)/gm)])
    .map(([, name]) => name)
    .sort();
  const { rows } = await sql<{ name: string }>`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`.execute(kysely);
  expect(written.length).toBeGreaterThan(40);
  expect(new Set(written).size).toBe(written.length);
  expect(rows.map(({ name }) => name).sort()).toEqual(written);
});

test('function files only create functions', () => {
  const statements = functionFiles.flatMap((text) => [...text.matchAll(/^[a-z]+ (?:or replace )?[a-z]+/gim)]);
  const others = statements.filter(([words]) => /^(?:create|drop|alter|insert|update|delete)\b/i.test(words));
  expect(new Set(others.map(([words]) => words))).toEqual(new Set(['create or replace function']));
});

test('the types of the tables name the columns of the database, and those that may be null', async () => {
  const { rows } = await sql<{ table: string; column: string; nullable: boolean }>`
    select table_name as table, column_name as column, is_nullable = 'YES' as nullable
    from information_schema.columns where table_schema = 'public'
    order by table_name, column_name`.execute(kysely);
  const typed = typedColumns();
  const tables = new Set(typed.map(({ table }) => table));
  expect(tables.size).toBeGreaterThan(30);
  expect(typed).toEqual(rows.filter(({ table }) => tables.has(table)));
});

/** Returns the columns of the interface `Tables`, read from its source: types are gone at run time. */
function typedColumns() {
  const folder = new URL('tables/', storage);
  const interfaces = new Map<string, ts.NodeArray<ts.TypeElement>>();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (ts.isInterfaceDeclaration(statement)) interfaces.set(statement.name.text, statement.members);
    }
  }
  const columns = properties(interfaces.get('Tables')).flatMap(({ name, type }) => {
    const members = ts.isTypeLiteralNode(type) ? type.members : interfaces.get(type.getText());
    return properties(members).map((column) => ({
      table: name,
      column: column.name,
      nullable: /\bnull\b|^Json$|^Nullable</.test(column.type.getText()),
    }));
  });
  const key = ({ table, column }: { table: string; column: string }) => `${table} ${column}`;
  return columns.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

function properties(members: ts.NodeArray<ts.TypeElement> | undefined) {
  return (members ?? []).flatMap((member) =>
    ts.isPropertySignature(member) && member.type !== undefined
      ? [{ name: member.name.getText(), type: member.type }]
      : [],
  );
}
