import type { Fields } from '../../base/fields.ts';
import type { ListedItem } from '../source-reader.ts';
import { zendeskKind } from '../tools/help-centers/zendesk.ts';
import { githubKind } from '../tools/repositories/github.ts';
import { gitlabKind } from '../tools/repositories/gitlab.ts';
import { isDocumentation, openFolder, webPath } from '../tools/repositories/repository.ts';
import { isOtherFile, normaliseAddress, Site } from '../website/address.ts';
import { websiteSettings } from '../website/website-settings.ts';

/** Returns the item that a key or an address stands for, if it may be one of the source by its settings. */
type Locate = (settings: Fields, name: string) => ListedItem | null;

/** Of other kinds, only items that a run has found can be named. */
const locators: Readonly<Record<string, Locate>> = {
  website: locatePage,
  github(settings, name) {
    const { data } = githubKind.settings.safeParse(settings);
    if (data === undefined) return null;
    const { repository, server = 'https://github.com' } = data;
    return locateFile(`${server}/${repository}`, data, name);
  },
  gitlab(settings, name) {
    const { data } = gitlabKind.settings.safeParse(settings);
    return data === undefined ? null : locateFile(`${data.server}/${data.project}/-`, data, name);
  },
  zendesk(settings, name) {
    const { data } = zendeskKind.settings.safeParse(settings);
    const [, id = name] =
      /^https:\/\/[^/]{1,250}\/hc\/[^?#]{0,100}\/?articles\/(\d{1,20})\b/.exec(name) ?? [];
    if (data === undefined || !/^\d{1,20}$/.test(id)) return null;
    return { key: id, url: `https://${data.subdomain.toLowerCase()}.zendesk.com/hc/articles/${id}` };
  },
  notion(_settings, name) {
    const [, hex] =
      /(?:^|[-/])([\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12})(?:[?#]|$)/i.exec(name) ?? [];
    if (hex === undefined) return null;
    const plain = hex.replaceAll('-', '').toLowerCase();
    const key = plain.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    return { key, url: `https://www.notion.so/${plain}` };
  },
};

export function locateItem(kind: string, settings: Fields, name: string): ListedItem | null {
  return locators[kind]?.(settings, name) ?? null;
}

function locatePage(settings: Fields, name: string): ListedItem | null {
  const { data } = websiteSettings.safeParse(settings);
  if (data === undefined || !/^(?:https?:\/)?\//i.test(name)) return null;
  const { url, include_subdomains: withSubdomains, max_depth: depth } = data;
  const key = normaliseAddress(name, url);
  if (key === null || isOtherFile(key) || !new Site(url, withSubdomains).includes(key)) return null;
  return { key, url: key, depth };
}

interface RepositoryFiles {
  readonly files: boolean;
  readonly folder?: string | undefined;
}

function locateFile(web: string, { files, folder }: RepositoryFiles, name: string): ListedItem | null {
  const path = pathOf(name, `${web}/blob/`);
  if (path === null || !files || !isDocumentation(path) || !openFolder(folder).holds(path)) return null;
  // A stranger's path must not lead out of the repository.
  if (path.split('/').some((part) => ['', '.', '..'].includes(part))) return null;
  return { key: `file:${path}`, url: `${web}/blob/HEAD/${webPath(path)}` };
}

/** Returns the path that a key or the address of a file names. A branch with a slash in its name is not told from a folder. */
function pathOf(name: string, start: string): string | null {
  if (name.startsWith('file:')) return name.slice('file:'.length);
  if (!name.toLowerCase().startsWith(start.toLowerCase())) return null;
  const [plain = ''] = name.slice(start.length).split(/[?#]/, 1);
  const [, ...parts] = plain.split('/');
  try {
    return parts.length === 0 ? null : decodeURIComponent(parts.join('/'));
  } catch {
    return null;
  }
}
