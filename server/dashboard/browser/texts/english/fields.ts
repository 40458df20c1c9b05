/** The texts of a field that the server describes with a JSON schema. Absent ones are shown in the server's words. */
export interface FieldTexts {
  readonly title?: string;
  readonly description?: string;
  readonly effect?: string;
  /** The names of the values to choose from. */
  readonly options?: Readonly<Record<string, string>>;
}

/**
 * The texts by the path of a field, such as `sla.resolution_minutes`, or by its last part alone. The server's words
 * are English already.
 */
export const fields: Readonly<Record<string, FieldTexts>> = {
  handover: {
    description:
      'In turn, or to the person with the fewest open conversations, among those who are available and have the dashboard open. Nobody: it stays in the queue. Without an answer it goes on after the minutes below, to each person once.',
  },
  'handover.capacity': {
    title: 'Waiting conversations per person',
    description: 'So many may wait for one person before others get the next. 10 if it is empty.',
  },
  'handover.assignment': {
    options: { none: 'Nobody', round_robin: 'In turn', least_busy: 'The person with the fewest open' },
  },
};

/** Those of channels, by `kind.field` or by `field` alone. */
export const channelFields: Readonly<Record<string, FieldTexts>> = {};

/** Those of sources, by `kind.field` or by `field` alone. */
export const sourceFields: Readonly<Record<string, FieldTexts>> = {
  'website.url': { title: 'Address' },
  'website.follow': {
    title: 'How pages are found',
    description:
      'By itself: by the sitemap, the feeds and the links of their pages; without a sitemap by following links. Sitemap only: pages that it no longer names are removed.',
    options: { auto: 'By itself', sitemap: 'Sitemap only', links: 'Following links' },
  },
  'website.scope': {
    title: 'Only below this path',
    description:
      'A pattern such as /help/**. Empty: the path of the address and all below it. /** reads the whole website.',
  },
  'website.read_unlisted': {
    title: 'Read pages that are not listed',
    description: 'Pages that neither the sitemap nor a feed names, but a page of them links to.',
  },
  'website.username': {
    title: 'User name',
    description: 'If the website asks for one before it shows a page.',
  },
  'website.password': { title: 'Password', description: 'The password of this user.' },
  'website.headers': {
    title: 'Request headers',
    description:
      'For example Authorization: Bearer … They are encrypted, and sent to the host of the address only.',
  },
  'website.max_depth': { title: 'Links away from the start' },
  'website.prefer_markdown': { title: 'Prefer Markdown' },
  'confluence.restricted': { options: { leave_out: 'Leave out', include: 'Read like all others' } },
  'github.issues': { options: { none: 'None', closed: 'Closed', all: 'All' } },
  'github.discussions': {
    options: { none: 'None', answered: 'With an accepted answer', all: 'All' },
  },
  'gitlab.issues': { options: { none: 'None', closed: 'Closed', all: 'All' } },
  'zendesk.restricted': {
    description:
      'Articles that only a user segment may see. As an audience: with the tag zendesk_segment_ and the id of the segment.',
    options: { leave_out: 'Leave out', audience: 'As an audience', include: 'Read like all others' },
  },
  'jira.restricted': { options: { leave_out: 'Leave out', include: 'Read like all others' } },
  'freshdesk.restricted': { options: { leave_out: 'Leave out', include: 'Read like all others' } },
  'discourse.topics': { options: { solved: 'With an accepted answer', all: 'All' } },
  'intercom.region': { options: { us: 'USA', eu: 'Europe', au: 'Australia' } },
};
