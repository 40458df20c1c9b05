import { z } from 'zod';
import { declaredFormat, isListedDocument } from '../../../knowledge/loaders/declared-format.ts';
import type { Content, Refusal } from '../kit/declaration.ts';

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

const written = new Set(['markdown', 'rst', 'asciidoc', 'notebook', 'json', 'yaml']);

/**
 * Whether a file of a repository is documentation: Markdown, reStructuredText, AsciiDoc, notebooks, and JSON or YAML whose
 * name says that it describes an API. Others are code, data and pictures.
 */
export function isDocumentation(path: string): boolean {
  const format = declaredFormat({ bytes: new Uint8Array(), contentType: null, fileName: path });
  return written.has(format ?? '') && isListedDocument(null, path);
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

/** A file as the list names it. */
export interface RepositoryFile {
  readonly path: string;
  readonly blob: string;
  readonly url: string | undefined;
}

/** A file of a repository as it is: front matter stays to the loader. */
export function repositoryFile(path: string, bytes: Uint8Array): Content {
  const contentType = /\.(?:mdx?|markdown)$/i.test(path) ? 'text/markdown' : '';
  return { bytes, contentType, fileName: path.split('/').at(-1) ?? path };
}

export interface ThreadPost {
  readonly text: string;
  readonly isAnswer?: boolean;
}

interface Thread {
  readonly title: string;
  readonly text: string;
  readonly posts: readonly ThreadPost[];
}

/** Joins a question with its replies, the accepted answer first. Names of people are left out. */
export function renderThread({ title, text, posts }: Thread): Content | Refusal {
  const replies = posts.filter((post) => post.text.trim() !== '');
  if (text.trim() === '' && replies.length === 0) return { code: 'empty', reason: 'It has a title only.' };
  const parts = replies.map(
    (post) => `## ${post.isAnswer === true ? 'Answer' : 'Reply'}\n\n${post.text.trim()}`,
  );
  const markdown = [`# ${title}`, text.trim(), ...parts].filter((part) => part !== '').join('\n\n');
  return { bytes: `${markdown}\n`, contentType: 'text/markdown' };
}
