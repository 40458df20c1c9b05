import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../base/errors.ts';
import type { Config } from '../../config/config.ts';
import { DocumentError } from '../documents/document-error.ts';
import type { RecognisedPages } from '../loaders/loader.ts';

/** Pictures of a file that hold text: the whole file, or pages of a PDF by number from 0. */
export interface Pictures {
  readonly format: 'pdf' | 'image';
  readonly pages: readonly number[];
}

export interface RecogniserLimits {
  readonly maxPages: number;
  readonly pageTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** The limit of each program. */
  readonly maxMemoryMb: number;
}

interface Programs {
  readonly tesseract: string;
  readonly pdftoppm: string;
  readonly prlimit: string;
}

const DEFAULT_LIMITS: RecogniserLimits = {
  maxPages: 200,
  pageTimeoutMs: 60_000,
  fileTimeoutMs: 10 * 60_000,
  maxMemoryMb: 1536,
};
/** Debian's packages of the programs. */
const PACKAGES: Readonly<Record<keyof Programs, string>> = {
  tesseract: 'tesseract-ocr',
  pdftoppm: 'poppler-utils',
  prlimit: 'util-linux',
};
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];
const START_TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 16 * 2 ** 20;
/** Pixels of the longer side of a page: some 300 dots per inch, at which tesseract reads best. The sender chooses the size of a page. */
const PAGE_PIXELS = 3_300;

/** Returns what reads pictures, or null if `OCR` is off. Rejects with a StartError if a program or a language is missing. */
export async function openTextRecogniser({
  OCR,
  OCR_LANGUAGES,
}: Pick<Config, 'OCR' | 'OCR_LANGUAGES'>): Promise<TextRecogniser | null> {
  if (OCR === 'off') return null;
  const programs = {
    tesseract: await findProgram('tesseract'),
    pdftoppm: await findProgram('pdftoppm'),
    prlimit: await findProgram('prlimit'),
  };
  const installed = await run(programs.tesseract, ['--list-langs'], {
    cwd: tmpdir(),
    timeoutMs: START_TIMEOUT_MS,
  });
  const languages = installed
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
  const missing = OCR_LANGUAGES.filter((language) => !languages.includes(language));
  if (missing.length > 0) {
    throw new StartError(
      `OCR_LANGUAGES names ${missing.join(', ')}, which tesseract lacks. Install its package (Debian: ${missing.map((language) => `tesseract-ocr-${language.replace('_', '-')}`).join(', ')}), or remove it.`,
    );
  }
  return new TextRecogniser(programs, OCR_LANGUAGES);
}

async function findProgram(name: keyof Programs): Promise<string> {
  for (const folder of FOLDERS) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  throw new StartError(
    `OCR is tesseract, but the program ${name} was not found. Install the package ${PACKAGES[name]}, or set OCR to off.`,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface RunOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Runs a program without a shell, and with none of this process's variables. Rejects with a `ProgramFault`. */
function run(
  program: string,
  args: readonly string[],
  { cwd, timeoutMs, signal }: RunOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd,
      signal,
      timeout: Math.max(1, Math.ceil(timeoutMs)),
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      // More threads make one page slower if several are read.
      env: { OMP_THREAD_LIMIT: '1', LC_ALL: 'C', TMPDIR: cwd },
    };
    execFile(program, [...args], options, (error, output) => {
      if (error === null) resolve(output);
      else reject(signal?.aborted === true ? signal.reason : error);
    });
  });
}

/**
 * Reads the text in pictures with tesseract. One file of a workspace is read at a time, and its pages one after the other.
 * Each program runs in a temporary folder, with a limit of time and of memory.
 */
export class TextRecogniser {
  readonly #programs: Programs;
  readonly #languages: readonly string[];
  readonly #limits: RecogniserLimits;
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(programs: Programs, languages: readonly string[], limits: Partial<RecogniserLimits> = {}) {
    this.#programs = programs;
    this.#languages = languages;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /**
   * Returns the recognised words by page, in tesseract's TSV form. Rejects with a DocumentError, or with the reason of `signal`.
   */
  async recognise(
    bytes: Uint8Array,
    pictures: Pictures,
    { workspaceId, signal }: { readonly workspaceId: string; readonly signal?: AbortSignal },
  ): Promise<RecognisedPages> {
    const { maxPages } = this.#limits;
    if (pictures.pages.length > maxPages)
      throw new DocumentError('too_many_pages', `${maxPages.toLocaleString('en')} pages without text`);
    const before = this.#turns.get(workspaceId) ?? Promise.resolve();
    const signals =
      signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    const turn = before.then(() => this.#inFolder(bytes, pictures, signals));
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(workspaceId, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(workspaceId) === settled) this.#turns.delete(workspaceId);
    }
  }

  /** Ends the programs that run. */
  close(): void {
    this.#closing.abort(new DocumentError('reading_failed'));
  }

  async #inFolder(bytes: Uint8Array, pictures: Pictures, signal: AbortSignal): Promise<RecognisedPages> {
    signal.throwIfAborted();
    const folder = await mkdtemp(join(tmpdir(), 'parley-ocr-'));
    try {
      await writeFile(join(folder, 'file'), bytes, { mode: 0o600 });
      return await this.#readPages(folder, pictures, signal);
    } catch (cause) {
      if (cause instanceof DocumentError || signal.aborted) throw cause;
      throw this.#toDocumentError(cause, pictures);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #readPages(
    folder: string,
    { format, pages }: Pictures,
    signal: AbortSignal,
  ): Promise<RecognisedPages> {
    const ends = performance.now() + this.#limits.fileTimeoutMs;
    const recognised = new Map<number, string>();
    for (const page of pages) {
      const left = ends - performance.now();
      if (left <= 0) throw timedOut(this.#limits.fileTimeoutMs);
      const options = { cwd: folder, timeoutMs: Math.min(left, this.#limits.pageTimeoutMs), signal };
      const picture = format === 'image' ? 'file' : await this.#renderPage(page, options);
      recognised.set(
        page,
        await this.#run('tesseract', [picture, 'stdout', '-l', this.#languages.join('+'), 'tsv'], options),
      );
    }
    return recognised;
  }

  async #renderPage(page: number, options: RunOptions): Promise<string> {
    const number = String(page + 1);
    const scale = ['-scale-to', String(PAGE_PIXELS), '-gray', '-png', '-singlefile'];
    await this.#run('pdftoppm', ['-f', number, '-l', number, ...scale, 'file', 'page'], options);
    return 'page.png';
  }

  #run(program: 'tesseract' | 'pdftoppm', args: readonly string[], options: RunOptions): Promise<string> {
    const seconds = Math.ceil(options.timeoutMs / 1000) + 1;
    const limits = [
      `--as=${this.#limits.maxMemoryMb * 2 ** 20}`,
      `--cpu=${seconds}`,
      '--core=0',
      '--fsize=268435456',
    ];
    return run(this.#programs.prlimit, [...limits, this.#programs[program], ...args], options);
  }

  #toDocumentError(cause: unknown, { format }: Pictures): DocumentError {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
      return new DocumentError('too_much_text', `${MAX_OUTPUT_BYTES / 2 ** 20} MB`, { cause });
    const killed = cause instanceof Error && 'killed' in cause && cause.killed === true;
    if (killed) return timedOut(this.#limits.pageTimeoutMs, cause);
    return new DocumentError('corrupt_file', format === 'pdf' ? 'A page of this PDF' : 'This picture', {
      cause,
    });
  }
}

function timedOut(limitMs: number, cause?: unknown): DocumentError {
  return new DocumentError('reading_timed_out', `${(limitMs / 1000).toLocaleString('en')} s`, { cause });
}
