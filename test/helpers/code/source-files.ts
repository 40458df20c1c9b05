import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Every TypeScript file of the project, tracked or new, by its path from the root. */
export function sourceFiles(root: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const gone = execFileSync('git', ['ls-files', '--deleted'], { cwd: root, encoding: 'utf8' }).split('\n');
  return [...new Set(listed)].filter((file) => !gone.includes(file)).sort();
}

/** Returns what a file imports, as it is written: packages by name, files by relative path. */
export function readImports(root: string, file: string): readonly string[] {
  const found = readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].flatMap(([, specifier]) => specifier ?? []);
}

/** Returns the files of the project that a file imports, by their paths from the root. */
export function readImportedFiles(root: string, file: string): readonly string[] {
  return readImports(root, file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(root, resolve(root, dirname(file), specifier)));
}
