import type { SlackActions, SlackEnvelope } from './event-schema.ts';

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
