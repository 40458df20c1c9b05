import {
  constants,
  cpSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
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
    const { folder } = settings.parse(workerData);
    const { database, durable } = await open(folder);
    // Requests run one by one, so responses keep their order.
    let done = Promise.resolve();
    port.on('message', (request: EmbeddedRequest) => {
      done = done.then(() => {
        if (request === 'close') return close(database, port);
        if (request instanceof Uint8Array) return answer(database, port, request);
        return say({ kind: 'copied', fault: copyFiles(join(folder, 'postgres'), request.copyTo) });
      });
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

/** Left free on the disk, so that a copy does not stop the database. */
const SPARE_BYTES = 256 * 2 ** 20;

/**
 * Copies the files as they are between two statements. They are what a power failure would leave: the database recovers
 * from them. Returns the fault, or null.
 */
function copyFiles(dataDir: string, to: string): EmbeddedFault | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(to));
    const bytes = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).reduce(
      (sum, path) => sum + statSync(join(dataDir, path)).size,
      0,
    );
    if (bavail * bsize < bytes + SPARE_BYTES) return { message: 'no space left', fields: { code: 'ENOSPC' } };
    // Where the file system can, the copy shares the blocks of the files.
    cpSync(dataDir, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
    return null;
  } catch (error) {
    return toEmbeddedFault(error);
  }
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
