import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../core/base/errors.ts';
import { toStorableText } from '../core/base/text.ts';

/** A file that arrived as part of a form. */
export class UploadedFile {
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
  readonly contentType: string;
  /** True if the file exceeds the size limit; `bytes` is then incomplete. */
  readonly truncated: boolean;

  constructor(file: Pick<UploadedFile, 'bytes' | 'name' | 'contentType' | 'truncated'>) {
    this.bytes = file.bytes;
    this.name = file.name;
    this.contentType = file.contentType;
    this.truncated = file.truncated;
  }
}

const limits = { files: 1, fields: 100, fieldSize: 64 * 1024 };
const fileNameCharacters = 255;

interface Form {
  /** The fields in the order of the request, because a field may be repeated. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly file: UploadedFile | undefined;
}

/**
 * Parses a form into the body of its request, in the same shape as a JSON body, with the file in `file`. A
 * file of more than `fileSize` bytes is read to its end, but the rest is discarded.
 */
export function parseMultipartForm(fileSize: number): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (request.isMultipart()) request.body = await parseBody(request, fileSize);
  };
}

async function parseBody(
  request: FastifyRequest,
  fileSize: number,
): Promise<Readonly<Record<string, unknown>>> {
  const { fields, file } = await parseParts(request, fileSize);
  const audience = fields.flatMap(([name, value]) => (name === 'audience' ? [value] : []));
  return {
    ...Object.fromEntries(fields),
    ...(audience.length === 0 ? {} : { audience }),
    ...(file === undefined ? {} : { file }),
  };
}

async function parseParts(request: FastifyRequest, fileSize: number): Promise<Form> {
  const fields: [string, string][] = [];
  let file: UploadedFile | undefined;
  try {
    for await (const part of request.parts({ limits: { ...limits, fileSize } })) {
      if (part.type === 'file') file = await parseFile(part);
      else fields.push([part.fieldname, toStorableText(String(part.value))]);
    }
  } catch (cause) {
    const hasTooManyFiles = cause instanceof Error && 'code' in cause && cause.code === 'FST_FILES_LIMIT';
    throw new AppError(hasTooManyFiles ? 'invalid_file' : 'invalid_multipart', { cause });
  }
  return { fields, file };
}

async function parseFile(part: MultipartFile): Promise<UploadedFile> {
  const bytes = await part.toBuffer();
  return new UploadedFile({
    bytes,
    name: shortName(part.filename),
    contentType: part.mimetype,
    truncated: part.file.truncated,
  });
}

/** A file of a form that is read as it arrives, because it is too large to be held in memory. */
export class ArrivingFile {
  readonly name: string;
  readonly #part: Pick<MultipartFile, 'file'>;

  constructor({ name, part }: { readonly name: string; readonly part: Pick<MultipartFile, 'file'> }) {
    this.name = name;
    this.#part = part;
  }

  /** The bytes, once. The source of an incomplete form ends with an error. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#part.file) yield chunk;
  }

  /** Whether the file exceeds the size limit, once its bytes have arrived. */
  get isTruncated(): boolean {
    return this.#part.file.truncated;
  }
}

/** Makes the first file of a form the `file` of the body, unread. A handler must read it to its end, or fail. */
export function acceptArrivingFile(fileSize: number): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (!request.isMultipart()) {
      throw new AppError('unsupported_media_type', {
        detail: 'The body is not a form. Send the file as multipart/form-data.',
      });
    }
    const part = await request.file({ limits: { ...limits, fileSize } }).catch((cause: unknown) => {
      throw new AppError('invalid_multipart', { cause });
    });
    if (part === undefined) throw new AppError('invalid_file');
    request.body = { file: new ArrivingFile({ name: shortName(part.filename), part }) };
  };
}

function shortName(name: string | undefined): string {
  return Array.from(toStorableText(name ?? ''))
    .slice(-fileNameCharacters)
    .join('');
}
