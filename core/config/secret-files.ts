import { readFileSync, statSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with the secrets that stand in files. */
interface SecretFiles {
  /** Each variable `X_FILE` of a secret is replaced by `X`. */
  readonly environment: Environment;
  /** The names of the variables that were read from a file. */
  readonly fromFiles: readonly string[];
  /** One line for each file that cannot be used. */
  readonly faults: readonly string[];
}

const FILE_SUFFIX = '_FILE';

/** Far above every secret: a device that never ends is not read. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads the secrets whose variables name a file: `ENCRYPTION_KEY_FILE=/run/secrets/key` holds `ENCRYPTION_KEY`. Variables
 * of other programs that end in `_FILE` are left alone.
 */
export function readSecretFiles(given: Environment, isSecret: (name: string) => boolean): SecretFiles {
  const environment: Record<string, string | undefined> = { ...given };
  const fromFiles: string[] = [];
  const faults: string[] = [];
  for (const [variable, value = ''] of Object.entries(given)) {
    const name = variable.slice(0, -FILE_SUFFIX.length);
    if (!variable.endsWith(FILE_SUFFIX) || !isSecret(name)) continue;
    delete environment[variable];
    const path = value.trim();
    if (path === '') continue;
    if ((given[name] ?? '').trim() !== '') {
      faults.push(`${name} and ${variable} are both set. Remove one of them.`);
      continue;
    }
    const { text, fault } = readSecretFile(path);
    if (text === '') faults.push(`${variable} leads to ${path}, ${fault}.`);
    else fromFiles.push(name);
    environment[name] = text;
  }
  return { environment, fromFiles, faults };
}

/** The text of the file without the spaces and line breaks around it; empty with the end of a sentence that says why. */
function readSecretFile(path: string): { readonly text: string; readonly fault: string } {
  const unreadable = (reason: string) => ({
    text: '',
    fault: `which cannot be read: ${reason}. Set it to a file that this user can read`,
  });
  try {
    const entry = statSync(path);
    if (entry.isDirectory()) return unreadable('it is a folder');
    if (entry.size > MAX_BYTES) return unreadable('it is too large for a secret');
    const text = readFileSync(path, 'utf8').trim();
    return { text, fault: 'which is empty. Write the secret into the file' };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return unreadable(code === 'ENOENT' ? 'there is no such file' : code);
  }
}
