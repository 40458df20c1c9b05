import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The address of a new database on that PostgreSQL server: a copy of `template`, or empty. */
export async function createDatabaseOn(server: string, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
