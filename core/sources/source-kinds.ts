import { AppError } from '../base/errors.ts';
import type { AllowedFolder } from './folder/folder.ts';
import { type FindFolders, folderKind } from './folder/folder.ts';
import type { SourceKind } from './source-reader.ts';
import { confluenceKind } from './tools/confluence.ts';
import { githubKind } from './tools/github.ts';
import { gitlabKind } from './tools/gitlab.ts';
import { googleDriveKind } from './tools/google-drive.ts';
import { intercomKind } from './tools/intercom.ts';
import { notionKind } from './tools/notion.ts';
import { s3Kind } from './tools/s3.ts';
import { zendeskKind } from './tools/zendesk.ts';
import { website } from './website/website.ts';

/** A kind of source whose settings and credentials have types that only it knows. */
export type AnySourceKind = SourceKind<unknown, unknown>;

interface KindParts {
  readonly folders: readonly AllowedFolder[];
  /** All of them, if absent. */
  readonly findFolders?: FindFolders;
}

/** The kinds of sources that this installation has, in the order in which they are offered. */
export function sourceKinds({ folders, findFolders }: KindParts): readonly AnySourceKind[] {
  const paths = folders.map(({ path }) => path);
  return [
    website,
    folderKind(paths, findFolders),
    notionKind,
    confluenceKind,
    githubKind,
    gitlabKind,
    googleDriveKind,
    zendeskKind,
    intercomKind,
    s3Kind,
  ];
}

/** Throws `unknown_source_kind`. */
export function requireKind(kinds: readonly AnySourceKind[], name: string): AnySourceKind {
  const kind = kinds.find((one) => one.kind === name);
  if (kind !== undefined) return kind;
  const known = kinds.map((one) => one.kind).join(', ');
  throw new AppError('unknown_source_kind', {
    detail: `There is no kind of source "${name}". Use one of: ${known}.`,
  });
}
