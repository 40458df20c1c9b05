import { z } from 'zod';

/** Answers of Confluence. https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content/ */

const subjectsSchema = z.object({ results: z.array(z.unknown()) }).optional();
const restrictionsSchema = z.object({ user: subjectsSchema, group: subjectsSchema });
export const readRestrictionSchema = z.object({ restrictions: restrictionsSchema });
export type Restriction = z.output<typeof readRestrictionSchema>;

export function isRestriction({ restrictions: { user, group } }: Restriction): boolean {
  return (user?.results.length ?? 0) + (group?.results.length ?? 0) > 0;
}

const linksSchema = z
  .object({ webui: z.string().optional(), next: z.string().optional(), download: z.string().optional() })
  .default({});

/** The parts of a record that a search gives with it. */
export const expanded = [
  'version',
  'space',
  'container',
  'ancestors',
  'restrictions.read.restrictions.user',
  'restrictions.read.restrictions.group',
].join(',');

const extensionsSchema = z
  .object({ mediaType: z.string().nullish(), fileSize: z.number().nullish() })
  .default({});

export const contentSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  status: z.string().nullish(),
  version: z.object({ number: z.number(), when: z.string().nullish() }).optional(),
  space: z.object({ name: z.string().nullish() }).optional(),
  ancestors: z.array(z.object({ id: z.string(), title: z.string().nullish() })).default([]),
  restrictions: z.object({ read: readRestrictionSchema.optional() }).optional(),
  _links: linksSchema,
});
export type Content = z.output<typeof contentSchema>;

export const searchSchema = z.object({ results: z.array(contentSchema), _links: linksSchema });

export const textSchema = z.object({
  title: z.string(),
  status: z.string().nullish(),
  body: z.object({ view: z.object({ value: z.string() }) }),
  _links: linksSchema,
});

/** A file, as the search and own servers have it. */
export const fileSchema = z.object({
  id: z.string(),
  title: z.string(),
  version: z.object({ number: z.number() }).optional(),
  extensions: extensionsSchema,
  container: z.object({ id: z.union([z.string(), z.number().transform(String)]) }).optional(),
  _links: linksSchema,
});

/** A file, as the newer API of the cloud has it. https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-attachment/ */
export const cloudFileSchema = z
  .object({
    ...{ id: z.string(), title: z.string(), version: z.object({ number: z.number() }).optional() },
    ...{ mediaType: z.string().nullish(), fileSize: z.number().nullish() },
    ...{ pageId: z.string().nullish(), blogPostId: z.string().nullish() },
    ...{ downloadLink: z.string().optional(), webuiLink: z.string().optional() },
  })
  .transform(({ id, title, version, mediaType, fileSize, ...file }): z.output<typeof fileSchema> => {
    const container = file.pageId ?? file.blogPostId ?? null;
    return {
      ...{ id, title, version, extensions: { mediaType, fileSize } },
      ...(container !== null && { container: { id: container } }),
      _links: { download: file.downloadLink, webui: file.webuiLink },
    };
  });
