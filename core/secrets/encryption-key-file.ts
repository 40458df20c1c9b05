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
import { StartError } from '../base/errors.ts';
import { folderFault } from '../storage/embedded/folder-fault.ts';

interface Keys {
  readonly current: Buffer;
  readonly previous: readonly Buffer[];
}

const currentName = 'encryption-key';
/** One key per line. Values sealed before a key change open with these. */
const previousName = 'encryption-key-previous';

/**
 * The encryption key of an installation without ENCRYPTION_KEY, stored in files of the data folder (mode 600).
 * If the process is killed during a change, every key that a stored value needs is still there.
 */
export class EncryptionKeyFile {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the keys and creates one if there is none. Throws a StartError if the folder is unusable or the
   * file contains no key.
   */
  open(): Keys {
    try {
      const [current = this.#create()] = this.#read(currentName);
      return { current, previous: this.#read(previousName) };
    } catch (error) {
      throw folderFault(this.#folder, error);
    }
  }

  /** Returns the keys that there are, the current one first, and creates none. Throws as `open` does. */
  list(): readonly Buffer[] {
    try {
      return [...this.#read(currentName), ...this.#read(previousName)];
    } catch (error) {
      throw folderFault(this.#folder, error);
    }
  }

  /** Moves the current key to the previous ones, then creates and returns a new one. */
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

  /** Removes the previous keys. Call it only when no value needs them. */
  dropPrevious(): void {
    try {
      rmSync(join(this.#folder, previousName), { force: true });
      sync(this.#folder);
    } catch (error) {
      throw folderFault(this.#folder, error);
    }
  }

  /** If several processes start at once, one creates the key and the others read it. */
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
      throw new StartError(
        `${path} is empty. Restore the file from a backup, or delete it if no secrets are stored, and start again.`,
      );
    }
  }

  #read(name: string): readonly Buffer[] {
    const path = join(this.#folder, name);
    const lines = readIfExists(path)
      .split('\n')
      .filter((line) => line.trim() !== '');
    return lines.map((line) => {
      const key = Buffer.from(line.trim(), 'hex');
      if (key.length === 32) return key;
      throw new StartError(`${path} does not contain an encryption key. Restore the file from a backup.`);
    });
  }

  /** Replaces the file atomically: a reader sees either the old or the new content. */
  #write(name: string, keys: readonly Buffer[]): void {
    const path = join(this.#folder, name);
    const text = keys.map((key) => `${key.toString('hex')}\n`).join('');
    writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
    sync(this.#folder);
  }
}

function readIfExists(path: string): string {
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

/** Makes renames and removals durable across a power failure. */
function sync(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
