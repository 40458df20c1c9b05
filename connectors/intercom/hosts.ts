import type { IntercomAccount } from './manifest.ts';

interface Hosts {
  readonly api: string;
  /** Where people let an app into their workspace. */
  readonly app: string;
}

const regions: Readonly<Record<IntercomAccount['settings']['region'], Hosts>> = {
  us: { api: 'https://api.intercom.io', app: 'https://app.intercom.com' },
  eu: { api: 'https://api.eu.intercom.io', app: 'https://app.eu.intercom.com' },
  au: { api: 'https://api.au.intercom.io', app: 'https://app.au.intercom.com' },
};

/** Without a slash at the end. */
export function hostsOf({ region, api_base_url }: IntercomAccount['settings']): Hosts {
  const { api, app } = regions[region];
  return { api: (api_base_url ?? api).replace(/(?<!\/)\/+$/, ''), app };
}
