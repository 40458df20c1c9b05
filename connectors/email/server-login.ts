import { accessToken, type TokenTools } from './access-token.ts';
import type { MailServer } from './manifest.ts';

export type ServerLogin =
  | { readonly user: string; readonly pass: string }
  | { readonly user: string; readonly accessToken: string };

/** What a mail server is shown. */
export async function serverLogin(
  { user, pass, oauth }: MailServer,
  tools: TokenTools,
): Promise<ServerLogin> {
  if (oauth === undefined) return { user, pass: pass ?? '' };
  return { user, accessToken: await accessToken(oauth, tools) };
}
