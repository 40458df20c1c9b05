import { z } from 'zod';
import type { Output } from './output/output.ts';

/** What the command line reads of a channel; the rest is passed on. */
export const channelAnswer = z.looseObject({
  id: z.string(),
  channel: z.string(),
  name: z.string(),
  status: z.string(),
  last_error: z.string().nullable(),
  heard_at: z.string().nullable(),
  enabled: z.boolean(),
  webhook_url: z.string().nullable(),
  parent: z.string().nullable(),
  tenant: z.string().nullable(),
  script_tag: z.string().nullish(),
  test_url: z.string().nullish(),
});

/** What to do with a widget; nothing for other kinds. */
export function tellWidget({ script_tag, test_url }: z.output<typeof channelAnswer>, output: Output): void {
  if (!script_tag || !test_url) return;
  output.note(`Paste script_tag into the pages that carry the widget. Try it first at ${test_url}`);
}
