import { countingIn } from '../../counting.ts';

const { plural, number } = countingIn('en');

/** Words of the command menu, which loads when it is opened. */
export const command = {
  groups: {
    latest: 'Chosen last',
    documents: 'Documents',
    conversations: 'Conversations',
    visitors: 'Visitors',
    people: 'People',
    channels: 'Channels',
    developers: 'Keys and webhooks',
  },
  heading: (name: string, count: number) => `${name} · ${number(count)}`,
  verbs: {
    text: 'New document: paste a text',
    page: 'New document: read an address',
    ask: 'Ask a question on trial',
    invite: 'Invite a person',
    channel: 'Connect a channel',
    source: 'Add a source',
    curated: 'New curated answer',
    key: 'New API key',
    webhook: 'New webhook',
    snippet: 'New snippet',
    skill: 'New skill',
    copyWorkspace: 'Copy the id of the workspace',
    documentation: 'Open the documentation',
    language: (name: string) => `Language: ${name}`,
  },
  copied: (id: string) => `${id} is copied.`,
  notCopied: (id: string) => `The browser did not let it be copied: ${id}`,
  openId: (id: string) => `Open ${id}`,
  settingsPage: (page: string) => `Settings, ${page}`,
  workspaceName: 'Name of the workspace',
  passages: (count: number) => plural(count, { one: '# passage', other: '# passages' }),
  key: 'API key',
  webhook: 'Webhook',
  searching: 'Searching…',
  nothing: (typed: string) => `Nothing matches “${typed}”.`,
  nothingHint: 'Try fewer letters, or paste an id.',
  failed: (names: string) => `Not searched: ${names}.`,
  retry: 'Try again',
  found: (count: number) => plural(count, { one: '# found', other: '# found' }),
  newTab: 'in a new tab',
  pasteId: 'Paste an id to open it',
};
