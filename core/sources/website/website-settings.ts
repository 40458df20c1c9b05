import { z } from 'zod';

export const websiteSettings = z.object({
  url: z
    .url({ protocol: /^https?$/ })
    .max(1_000)
    .refine((url) => !/^https?:\/\/[^/]*@/i.test(url), 'Leave the user name and the password out.')
    .describe('Where to start: the first page, a sitemap, a feed (RSS or Atom) or an llms.txt.'),
  follow: z
    .enum(['auto', 'sitemap', 'links'])
    .default('auto')
    .describe(
      'How pages are found. auto: by the sitemap, the feeds and the links of the pages that these name; without a sitemap by following links. sitemap: by the sitemap only; pages that it no longer names are removed. links: by following links from the start.',
    ),
  scope: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'The pattern of the paths that are read, such as /help/**. Absent: the path of the start and all below it. /** reads the whole website.',
    ),
  read_unlisted: z
    .boolean()
    .default(true)
    .describe(
      'Whether pages are read too that neither the sitemap nor a feed names, but a page of them links to.',
    ),
  max_depth: z
    .int()
    .min(0)
    .max(20)
    .default(5)
    .describe('How many links a page may be away from the start. 0 reads the start page alone.'),
  requests_per_second: z
    .number()
    .min(0.1)
    .max(20)
    .default(5)
    .describe('How fast the website is read. Its robots.txt may ask for less.'),
  prefer_markdown: z
    .boolean()
    .default(true)
    .describe('Whether the Markdown version of a page is read, where the website offers one.'),
  include_subdomains: z
    .boolean()
    .default(false)
    .describe('Whether pages of subdomains are read too, for example docs.example.com for example.com.'),
});

export type WebsiteSettings = z.output<typeof websiteSettings>;
