import { z } from 'zod';
import type { ReadResult } from '../source-reader.ts';

/** The parts that GitHub and GitLab have in common. */

export const branchName = z
  .string()
  .regex(/^(?!\/)(?!.*\.\.)[^\s~^:?*[\\\p{Cc}]{1,250}$/u, 'Give the name of a branch.');

export const folderPath = z
  .string()
  .max(500)
  .transform((text) =>
    text
      .split('/')
      .filter((part) => part !== '')
      .join('/'),
  )
  .refine((text) => !text.split('/').includes('..'), 'Give a path from the top of the repository.');

export function isMarkdown(path: string): boolean {
  return /\.(md|mdx|markdown)$/i.test(path);
}

interface Folder {
  readonly holds: (path: string) => boolean;
  /** Whether the path is the folder, a part of it, or on the way to it. */
  readonly leadsTo: (path: string) => boolean;
}

/** Without a folder, everything is in it. */
export function openFolder(folder = ''): Folder {
  const holds = (path: string) => folder === '' || path.startsWith(`${folder}/`);
  return { holds, leadsTo: (path) => holds(path) || path === folder || folder.startsWith(`${path}/`) };
}

/** Encodes a path of files for a web address, keeping its slashes. */
export function webPath(path: string): string {
  return path
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
}

/** A file of a repository without changes: the loader reads its front matter. */
export function markdownFile(path: string, bytes: Uint8Array): ReadResult {
  if (bytes.byteLength === 0) return { kind: 'skipped', code: 'empty', reason: 'The file is empty.' };
  return { kind: 'content', bytes, contentType: 'text/markdown', fileName: path.split('/').at(-1) ?? path };
}

export interface ThreadPost {
  readonly text: string;
  readonly isAnswer?: boolean;
}

interface Thread {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  readonly posts: readonly ThreadPost[];
}

/** Joins a question with its replies, the accepted answer first. Names of people are left out. */
export function renderThread({ title, url, text, posts }: Thread): ReadResult {
  const replies = posts.filter((post) => post.text.trim() !== '');
  if (text.trim() === '' && replies.length === 0) {
    return { kind: 'skipped', code: 'empty', reason: 'It has a title only.' };
  }
  const parts = replies.map(
    (post) => `## ${post.isAnswer === true ? 'Answer' : 'Reply'}\n\n${post.text.trim()}`,
  );
  const markdown = [`# ${title}`, text.trim(), ...parts].filter((part) => part !== '').join('\n\n');
  return { kind: 'content', bytes: Buffer.from(`${markdown}\n`), contentType: 'text/markdown', title, url };
}
