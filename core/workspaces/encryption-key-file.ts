import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../errors.ts';
import { folderFault } from '../storage/embedded/folder-fault.ts';

interface Keys {
  readonly current: Buffer;
  readonly previous: readonly Buffer[];
}

const currentName = 'encryption-key';
/** A key a line: what was sealed before a change opens with these. */
const previousName = 'encryption-key-previous';

/**
 * The encryption key of an installation that is given none in its environment: files of the data folder (mode 600). A
 * process that is killed at any instant of a change leaves every key that some value needs.
 */
export class EncryptionKeyFile {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the key where there is none. Throws a StartError where the folder cannot be used or holds no key. */
  open(): Keys {
    try {
      const [current = this.#create()] = this.#read(currentName);
      return { current, previous: this.#read(previousName) };
    } catch (error) {
      throw folderFault(this.#folder, error);
    }
  }

  /** Keeps the current key as a previous one, then makes a new one and returns it. */
  replace(): Buffer {
    try {
      const { current, previous } = this.open();
      this.#write(previousName, [current, ...previous.filter((key) => !key.equals(current))]);
      const next = randomBytes(32);
      this.#write(currentName, [next]);
      return next;
    } catch (error) {
      throw folderFault(this.#folder, error);
    }
  }

  /** For when no value needs the previous keys any more. */
  dropPrevious(): void {
    try {
      rmSync(join(this.#folder, previousName), { force: true });
      sync(this.#folder);
    } catch (error) {
      throw folderFault(this.#folder, error);
    }
  }

  /** Of several processes that start at once, one makes the key and the others read it. */
  #create(): Buffer {
    mkdirSync(this.#folder, { recursive: true });
    const path = join(this.#folder, currentName);
    try {
      const key = randomBytes(32);
      writeFileSync(path, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
      sync(this.#folder);
      return key;
    } catch (error) {
      if (!isError(error, 'EEXIST')) throw error;
      const [key] = this.#read(currentName);
      if (key !== undefined) return key;
      throw new StartError(`${path} is empty: delete it, or restore it from a backup, and start again.`);
    }
  }

  #read(name: string): readonly Buffer[] {
    const path = join(this.#folder, name);
    const lines = readIfThere(path)
      .split('\n')
      .filter((line) => line.trim() !== '');
    return lines.map((line) => {
      const key = Buffer.from(line.trim(), 'hex');
      if (key.length === 32) return key;
      throw new StartError(`${path} holds something other than an encryption key: restore it from a backup.`);
    });
  }

  /** Replaces the file as a whole: a reader finds the former content or this one. */
  #write(name: string, keys: readonly Buffer[]): void {
    const path = join(this.#folder, name);
    const text = keys.map((key) => `${key.toString('hex')}\n`).join('');
    writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
    sync(this.#folder);
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isError(error, 'ENOENT')) return '';
    throw error;
  }
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Renamed and removed files stay so after a power failure. */
function sync(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
