import { AppError } from '../base/errors.ts';
import type { AllowedFolder } from './folder/folder.ts';
import { type FindFolders, folderKind } from './folder/folder.ts';
import { loaderKind } from './loaders/loader-kind.ts';
import type { SourceKind } from './source-reader.ts';
import { googleDriveKind } from './tools/drives/google-drive.ts';
import { microsoftKind } from './tools/drives/microsoft.ts';
import { s3Kind } from './tools/drives/s3.ts';
import { freshdeskKind } from './tools/help-centers/freshdesk.ts';
import { hubspotKind } from './tools/help-centers/hubspot.ts';
import { intercomKind } from './tools/help-centers/intercom.ts';
import { zendeskKind } from './tools/help-centers/zendesk.ts';
import { notionKind } from './tools/notion/notion.ts';
import { openapiKind } from './tools/openapi.ts';
import { githubKind } from './tools/repositories/github.ts';
import { gitlabKind } from './tools/repositories/gitlab.ts';
import { confluenceKind } from './tools/wikis/confluence.ts';
import { discourseKind } from './tools/wikis/discourse.ts';
import { jiraKind } from './tools/wikis/jira.ts';
import { website } from './website/website.ts';

/** A kind of source whose settings and credentials have types that only it knows. */
export type AnySourceKind = SourceKind<unknown, unknown>;

interface KindParts {
  readonly folders: readonly AllowedFolder[];
  /** Modules of document loaders that the operator allows. */
  readonly loaders?: readonly string[];
  /** All of them, if absent. */
  readonly findFolders?: FindFolders;
}

/** The kinds of sources that this installation has, in the order in which they are offered. */
export function sourceKinds({ folders, loaders = [], findFolders }: KindParts): readonly AnySourceKind[] {
  const paths = folders.map(({ path }) => path);
  return [
    website,
    folderKind(paths, findFolders),
    notionKind,
    confluenceKind,
    githubKind,
    gitlabKind,
    googleDriveKind,
    microsoftKind,
    zendeskKind,
    intercomKind,
    freshdeskKind,
    hubspotKind,
    jiraKind,
    discourseKind,
    openapiKind,
    s3Kind,
    loaderKind(loaders),
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
