import { z } from 'zod';
import { CommandError } from './command-error.ts';
import type { Output } from './output.ts';

const itemResponse = z.looseObject({
  key: z.string(),
  url: z.string().nullable(),
  title: z.string().nullable(),
  outcome: z.string(),
  reason: z.string().nullable(),
});

/** A preview of a source, as far as the command line shows it. */
export const previewResponse = z.looseObject({
  items: z.array(itemResponse),
  groups: z.array(
    z.looseObject({
      pattern: z.string().nullable(),
      listed: z.number(),
      checked: z.number(),
      read: z.number(),
      sample: itemResponse.nullable(),
    }),
  ),
  covered: z.number(),
  unlisted: z.number(),
  scope: z.string().nullable(),
  outside: z.number(),
  listed: z.number(),
  is_whole: z.boolean(),
  failure: z.object({ code: z.string(), reason: z.string() }).nullable(),
});

type Preview = z.output<typeof previewResponse>;

/** Shows what would be read: groups of paths, the items that were looked at, and what lies outside. */
export function showPreview(output: Output, preview: Preview): void {
  const { items, groups, failure } = preview;
  output.result(preview, () => {
    if (groups.length > 0) {
      output.table(
        [
          { heading: 'PATHS', cell: ({ pattern }) => pattern ?? 'others', flexible: true },
          { heading: 'ITEMS', cell: ({ listed }) => listed },
          { heading: 'CHECKED', cell: ({ read, checked }) => `${read} of ${checked} can be read` },
          { heading: 'SAMPLE', cell: ({ sample }) => sample?.reason ?? sample?.url ?? '', flexible: true },
        ],
        groups,
      );
      output.line('');
    }
    const looked = items.filter(({ outcome }) => outcome !== 'not_read');
    if (looked.length > 0) {
      output.table(
        [
          { heading: 'ADDRESS', cell: ({ url, key }) => url ?? key, flexible: true },
          { heading: 'TITLE', cell: ({ title }) => title ?? '', flexible: true },
          { heading: 'OUTCOME', cell: ({ outcome }) => outcome },
          { heading: 'REASON', cell: ({ reason }) => reason ?? '', flexible: true },
        ],
        looked,
      );
    }
    for (const line of describeBounds(preview)) output.line(line);
  });
  if (failure !== null) throw new CommandError(failure.reason, { code: failure.code });
}

function describeBounds({ listed, is_whole: isWhole, covered, unlisted, scope, outside }: Preview) {
  return [
    isWhole ? `${listed} items were found.` : `${listed} items were found so far.`,
    ...(listed === 0 ? [] : [`${covered} of them lie in groups of which one was read well.`]),
    ...(scope === null
      ? []
      : [`Only ${scope} is read, ${outside} listed items lie outside. Read all with --set "scope=/**".`]),
    ...(unlisted === 0
      ? []
      : [
          `${unlisted} pages so far are linked but not in the sitemap: --set read_unlisted=false leaves them out.`,
        ]),
  ];
}
