import { z } from 'zod';

export const themeSchema = z.enum(['auto', 'light', 'dark']);
export type Theme = z.output<typeof themeSchema>;

/** How the dashboard tells a person of conversations. Nothing, until they ask for it. */
export const notificationSchema = z.object({
  browser: z.boolean().default(false),
  sound: z.boolean().default(false),
  views: z.array(z.string().min(1).max(80)).max(50).default(['waiting', 'mine']),
});
export type NotificationChoice = Readonly<z.output<typeof notificationSchema>>;

export const ownKeysSchema = z
  .record(z.string().regex(/^[a-z][a-z.-]{0,59}$/), z.string().min(1).max(24).nullable())
  .refine((keys) => Object.keys(keys).length <= 200);
export type OwnKeys = Readonly<z.output<typeof ownKeysSchema>>;

/** Fields of a person that they change themselves; absent ones stay. */
export interface ProfileChange {
  readonly name?: string | undefined;
  readonly language?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
  readonly theme?: Theme | undefined;
  readonly keysEnabled?: boolean | undefined;
  readonly notifications?: NotificationChoice | undefined;
  readonly ownKeys?: OwnKeys | undefined;
  readonly emailDigest?: boolean | undefined;
}

/** The columns of a change. */
export function profileColumns(change: ProfileChange) {
  const { name, language, timeZone, theme, keysEnabled, notifications, ownKeys, emailDigest } = change;
  return {
    ...(name !== undefined && { name }),
    ...(language !== undefined && { language }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(theme !== undefined && { theme }),
    ...(keysEnabled !== undefined && { keys_enabled: keysEnabled }),
    ...(notifications !== undefined && { notifications: JSON.stringify(notifications) }),
    ...(ownKeys !== undefined && { own_keys: JSON.stringify(ownKeys) }),
    ...(emailDigest !== undefined && { email_digest: emailDigest }),
  };
}
