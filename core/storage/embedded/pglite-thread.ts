import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite, type Results } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import pg from 'pg';
import { z } from 'zod';
import { durableStartParameters, passFsyncOn } from './durable-files.ts';
import {
  commands,
  type EmbeddedFault,
  type EmbeddedReply,
  type EmbeddedRequest,
  type EmbeddedResult,
} from './messages.ts';

const settings = z.object({ folder: z.string() });
const command = z.enum(commands).catch('SELECT');

/** The database thread: PostgreSQL blocks its thread while it works, so it gets one of its own. */
async function run(port: MessagePort): Promise<void> {
  const say = (reply: EmbeddedReply) => port.postMessage(reply);
  try {
    const { database, durable } = await open(settings.parse(workerData).folder);
    database.onNotification((channel, payload) => say({ kind: 'notification', channel, payload }));
    port.on('message', (request: EmbeddedRequest | 'close') => {
      if (request === 'close') void close(database, port);
      else void answer(database, request).then(say);
    });
    say({ kind: 'open', durable });
  } catch (error) {
    say({ kind: 'failed', fault: faultOf(error) });
    port.close();
  }
}

async function open(folder: string): Promise<{ database: PGlite; durable: boolean }> {
  const dataDir = join(folder, 'postgres');
  if (!existsSync(dataDir)) await initialise(dataDir);
  const database = await PGlite.create({
    dataDir,
    extensions: { vector },
    parsers: driverParsers(),
    startParams: durableStartParameters(PGlite.defaultStartParams),
  });
  const durable = 'Module' in database && passFsyncOn(fileLayerOf(database.Module));
  await database.exec('set search_path to public, bullmq');
  return { database, durable };
}

/** Under another name until it is whole: a first start that was cut short leaves nothing that cannot be opened. */
async function initialise(dataDir: string): Promise<void> {
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const database = await PGlite.create({ dataDir: unfinished });
  await database.close();
  renameSync(unfinished, dataDir);
}

function fileLayerOf(module: unknown): unknown {
  return typeof module === 'object' && module !== null && 'FS' in module ? module.FS : undefined;
}

/** The types of the pg driver, so that a row looks the same from either engine. */
function driverParsers(): Record<number, (value: string) => unknown> {
  return Object.fromEntries(
    Object.values(pg.types.builtins).map((oid) => [
      oid,
      (value: string) => pg.types.getTypeParser(oid)(value),
    ]),
  );
}

async function answer(database: PGlite, request: EmbeddedRequest): Promise<EmbeddedReply> {
  try {
    const results =
      request.values === undefined
        ? await database.exec(request.text)
        : [await database.query<Record<string, unknown>>(request.text, [...request.values])];
    return { kind: 'result', id: request.id, result: resultOf(results.at(-1)) };
  } catch (error) {
    return { kind: 'error', id: request.id, fault: faultOf(error) };
  }
}

function resultOf(results: Results<Record<string, unknown>> | undefined): EmbeddedResult {
  const rows = results?.rows ?? [];
  return {
    rows,
    rowCount: results?.affectedRows || rows.length,
    command: command.parse(results?.command),
    fields: results?.fields ?? [],
  };
}

function faultOf(error: unknown): EmbeddedFault {
  if (!(error instanceof Error)) return { message: JSON.stringify(error), fields: {} };
  const fields = Object.entries(error).filter(([, value]) => typeof value === 'string');
  return { message: error.message, fields: Object.fromEntries(fields) };
}

async function close(database: PGlite, port: MessagePort): Promise<void> {
  await database.close();
  port.postMessage({ kind: 'closed' } satisfies EmbeddedReply);
  port.close();
}

if (parentPort !== null) await run(parentPort);
