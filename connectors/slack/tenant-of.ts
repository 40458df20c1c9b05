import type { SlackActions, SlackEnvelope } from './event-schema.ts';
import type { SlackAccount } from './manifest.ts';

/** Whose installation an event is of: the organisation's where that installed the app as a whole, else the team's. */
export function tenantOfEvent({ authorizations, enterprise_id, team_id }: SlackEnvelope): string | null {
  const [installed] = authorizations ?? [];
  const organisation = installed?.enterprise_id ?? enterprise_id;
  return installed?.is_enterprise_install === true && organisation !== null ? organisation : team_id;
}

export function tenantOfAction({ is_enterprise_install, enterprise, team }: SlackActions): string | null {
  const organisation = enterprise?.id ?? null;
  return is_enterprise_install === true && organisation !== null ? organisation : (team?.id ?? organisation);
}

/**
 * Whether an event may be somebody else's than the account's own team's: only then is it asked whose. That of an app which
 * teams install always may.
 */
export function mayBeOfOthers(tenant: string, { credentials, profile }: SlackAccount): boolean {
  const own = profile.is_enterprise_install === true ? profile.enterprise_id : profile.team_id;
  return credentials.client_id !== undefined || tenant !== own;
}
