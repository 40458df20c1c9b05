import { z } from 'zod';
import { previewOutcomes, type SourcePreview } from '../../../core/sources/preview/preview.ts';

const count = z.int().min(0);

const previewItemSchema = z.object({
  key: z.string(),
  url: z.string().nullable(),
  title: z.string().nullable(),
  outcome: z.enum(previewOutcomes),
  code: z.string().nullable(),
  reason: z.string().nullable(),
  bytes: z.int().nullable(),
  content_type: z.string().nullable(),
});

export const previewSchema = z
  .object({
    items: z.array(previewItemSchema).meta({
      description: 'Those that were looked at first, at most 100.',
    }),
    groups: z
      .array(
        z.object({
          pattern: z.string().nullable().meta({
            description: 'Matches the paths of its items. Null: what is left of many small groups.',
          }),
          listed: count,
          unlisted: count.meta({ description: 'Those of them that no list names.' }),
          checked: count.meta({ description: 'Items that were looked at.' }),
          read: count.meta({ description: 'Those of them that would become documents.' }),
          sample: previewItemSchema.nullable(),
        }),
      )
      .meta({ description: 'Items by the beginning of their paths, the largest group first.' }),
    covered: count.meta({
      description: 'Items of groups of which a checked one would become a document.',
    }),
    unlisted: count.meta({
      description:
        'Pages of a website that are linked and named by neither its sitemap nor a feed, as far as pages were looked at.',
    }),
    scope: z.string().nullable().meta({
      description: 'The pattern of the paths that are read; null for all. The setting `scope` changes it.',
    }),
    outside: count.meta({ description: 'Items that the list names and that lie outside of the scope.' }),
    listed: count.meta({ description: 'Items that were found so far and would be read.' }),
    is_whole: z.boolean().meta({ description: 'Whether the list was read to its end.' }),
    failure: z
      .object({ code: z.string(), reason: z.string() })
      .nullable()
      .meta({ description: 'Why the source cannot be read.' }),
  })
  .meta({ id: 'SourcePreview' });

export function presentPreview({
  items,
  groups,
  isWhole,
  ...preview
}: SourcePreview): z.output<typeof previewSchema> {
  return {
    ...preview,
    items: items.map(presentPreviewItem),
    groups: groups.map(({ sample, ...group }) => ({
      ...group,
      sample: sample && presentPreviewItem(sample),
    })),
    is_whole: isWhole,
  };
}

function presentPreviewItem({
  contentType,
  ...item
}: SourcePreview['items'][number]): z.output<typeof previewItemSchema> {
  return { ...item, content_type: contentType };
}
