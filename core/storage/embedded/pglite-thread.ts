import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { z } from 'zod';
import { durableStartParameters, passFsyncOn } from './durable-files.ts';
import type { EmbeddedFault, EmbeddedReply, EmbeddedRequest } from './messages.ts';

const settings = z.object({ folder: z.string() });

/** Runs the database in a thread of its own, because PostgreSQL blocks its thread while it works. */
async function run(port: MessagePort): Promise<void> {
  const say = (reply: EmbeddedReply) => port.postMessage(reply);
  try {
    const { database, durable } = await open(settings.parse(workerData).folder);
    // Requests run one by one, so responses keep their order.
    let done = Promise.resolve();
    port.on('message', (request: EmbeddedRequest) => {
      done = done.then(() => (request === 'close' ? close(database, port) : answer(database, port, request)));
    });
    say({ kind: 'open', durable });
  } catch (error) {
    say({ kind: 'failed', fault: toEmbeddedFault(error) });
    port.close();
  }
}

async function open(folder: string): Promise<{ database: PGlite; durable: boolean }> {
  const dataDir = join(folder, 'postgres');
  if (!existsSync(dataDir)) await initialise(dataDir);
  const database = await PGlite.create({
    dataDir,
    extensions: { vector },
    startParams: durableStartParameters(PGlite.defaultStartParams),
  });
  const durable = 'Module' in database && passFsyncOn(findFileLayer(database.Module));
  await database.exec('set search_path to public, bullmq');
  return { database, durable };
}

/**
 * Creates the database under another name and renames it when it is complete, so that an interrupted first
 * start leaves nothing that cannot be opened.
 */
async function initialise(dataDir: string): Promise<void> {
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const database = await PGlite.create({ dataDir: unfinished });
  await database.close();
  renameSync(unfinished, dataDir);
}

function findFileLayer(module: unknown): unknown {
  return typeof module === 'object' && module !== null && 'FS' in module ? module.FS : undefined;
}

/**
 * Runs a request. Errors of statements are part of the response. A thrown error stops the thread, which the
 * pool reports.
 */
async function answer(database: PGlite, port: MessagePort, request: Uint8Array<ArrayBuffer>): Promise<void> {
  const pieces: Uint8Array[] = [];
  // Without this callback, PGlite parses and keeps all its responses.
  const onRawData = (piece: Uint8Array) => void pieces.push(piece.slice());
  await database.execProtocolRawStream(request, { onRawData });
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  port.postMessage(bytes, [bytes.buffer]);
}

function toEmbeddedFault(error: unknown): EmbeddedFault {
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
