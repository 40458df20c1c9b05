import type { Channel } from '../../../api/queries/channels.ts';

/** How customers know the account, such as `@help_bot`, a number or an address; empty if nothing says so. */
export function describeAccount({ channel, settings, profile }: Channel): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  switch (channel) {
    case 'telegram':
      return profile.username === undefined ? '' : `@${text(profile.username)}`;
    case 'slack':
      return text(profile.team);
    case 'discord':
      return text(profile.username);
    case 'intercom':
      return text(profile.app_name);
    case 'hosted':
      return settings.slug === undefined ? '' : `/c/${text(settings.slug)}`;
    case 'widget':
      return Array.isArray(settings.allowed_domains) ? settings.allowed_domains.map(text).join(', ') : '';
    default:
      return text(settings.from);
  }
}

/** Where a person can write to the account at once; null if there is no such page. */
export function chatAddress({ channel, profile, test_url: testUrl, settings }: Channel): string | null {
  if (channel === 'telegram' && typeof profile.username === 'string')
    return `https://t.me/${profile.username}`;
  if (channel === 'hosted' && typeof settings.slug === 'string') return `/c/${settings.slug}`;
  return testUrl;
}
