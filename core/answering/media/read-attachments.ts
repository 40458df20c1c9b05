import type { Logger } from '../../base/log.ts';
import type { FetchedFile } from '../../contract/facets.ts';
import type { Attachment } from '../../contract/inbound.ts';
import type { MediaModels } from './media-models.ts';

/** The readings of attachments by reference. They are plain data, so that they can be stored. */
export type MediaReadings = Readonly<Record<string, MediaReading>>;

/** The words of a recording or the description of a picture; empty if the model could make nothing of it. */
export interface MediaReading {
  readonly transcript?: string;
  readonly description?: string;
}

interface Reading {
  readonly media: MediaModels;
  readonly attachments: readonly Attachment[];
  /** The visitor's words beside them. */
  readonly text: string;
  /** The visitor's language, ISO 639-1. */
  readonly language: string;
  readonly fetchFile: (reference: string) => Promise<FetchedFile>;
  readonly log: Pick<Logger, 'warn'>;
  readonly signal: AbortSignal;
}

const MAX_BYTES = 10_000_000;
const MAX_SECONDS = 120;
/** The timeout for fetching a file and reading it, because the visitor waits. */
const TIMEOUT_MS = 20_000;

/** Returns whether the models can make something of an attachment, as far as its platform describes it. */
export function isReadable({ transcribe, describe }: Models, attachment: Attachment): boolean {
  const { kind, bytes, seconds = 0, incidental } = attachment;
  if (incidental === true || (bytes ?? 0) > MAX_BYTES || seconds > MAX_SECONDS) return false;
  return (kind === 'audio' && transcribe !== null) || (kind === 'image' && describe !== null);
}

type Models = Pick<MediaModels, 'transcribe' | 'describe'>;

/**
 * Fetches attachments and asks the models for them, all at the same time. It leaves out those that cannot be fetched,
 * are too large or are not read within 20 seconds. Throws the reason of the signal if it aborts.
 */
export async function readAttachments(request: Reading): Promise<MediaReadings> {
  const readings = await Promise.all(
    request.attachments.map(async (attachment) => {
      const reading = await readAttachment(request, attachment);
      return reading === null ? [] : [[attachment.reference, reading] as const];
    }),
  );
  return Object.fromEntries(readings.flat());
}

async function readAttachment(
  { media, text, language, fetchFile, log, signal }: Reading,
  attachment: Attachment,
): Promise<MediaReading | null> {
  const startedAt = performance.now();
  const remainingMs = () => Math.max(1, TIMEOUT_MS - (performance.now() - startedAt));
  const file = await fetchFile(attachment.reference).catch((err: unknown) => {
    signal.throwIfAborted();
    log.warn({ err }, 'fetching an attachment failed');
    return null;
  });
  signal.throwIfAborted();
  if (file === null || file.body.length === 0 || file.body.length > MAX_BYTES) return null;
  const limits = { timeoutMs: remainingMs(), signal };
  const { body: bytes } = file;
  if (attachment.kind === 'audio') {
    const contentType = mediaType(attachment.contentType ?? file.contentType);
    const transcript = await media.transcribe?.({ bytes, contentType }, limits);
    return transcript == null ? null : { transcript };
  }
  const contentType = pictureType(bytes);
  if (contentType === null) return null;
  const description = await media.describe?.({ bytes, contentType, text, language }, limits);
  return description == null ? null : { description };
}

/** Returns a content type without its parameters: `audio/ogg; codecs=opus` is `audio/ogg`. */
function mediaType(contentType: string): string {
  return contentType.split(';', 1).join('').trim().toLowerCase();
}

/** Returns the type by the first bytes, because platforms call files as they like; null if models do not know it. */
function pictureType(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : null;
}

/** Returns a turn's attachments with what models made of them. */
export function withReadings(
  attachments: readonly Attachment[],
  readings: MediaReadings,
): readonly Attachment[] {
  return attachments.map((attachment) => ({ ...attachment, ...readings[attachment.reference] }));
}
