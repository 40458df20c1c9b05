import { execFileSync } from 'node:child_process';

/** Every TypeScript file of the project, tracked or new, by its path from the root. */
export function sourceFiles(root: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const gone = execFileSync('git', ['ls-files', '--deleted'], { cwd: root, encoding: 'utf8' }).split('\n');
  return [...new Set(listed)].filter((file) => !gone.includes(file)).sort();
}
