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
      'How pages are found. auto: by the sitemap, if the website has one, otherwise by following links. sitemap: by the sitemap only; pages that it no longer names are removed. links: by following links from the start.',
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
