import { BookOpenText, Braces, Building2, Cable, FileText, Globe, type IconType } from '../../icons.ts';

/** The signs of the kinds. The logos are trademarks, so each stands for the content. */
const signs: Readonly<Record<string, IconType>> = {
  website: Globe,
  folder: FileText,
  notion: BookOpenText,
  confluence: BookOpenText,
  github: Braces,
  gitlab: Braces,
  google_drive: FileText,
  sharepoint: FileText,
  zendesk: Building2,
  intercom: Building2,
  freshdesk: Building2,
  hubspot: BookOpenText,
  jira: Braces,
  discourse: Building2,
  openapi: Braces,
  s3: Cable,
  loader: Cable,
};

export const signOf = (kind: string): IconType => signs[kind] ?? Cable;

/** The name of a kind. A kind without texts has the server's name. */
export const kindName = (kind: string, kinds: Readonly<Record<string, string>>): string =>
  kinds[kind] ?? kind;
