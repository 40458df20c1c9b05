import type { Account } from './account.ts';
import type { Tools } from './tools.ts';

/** One account of ours in which several of the platform's install us: a Slack app in many teams, a bot in many guilds. */
export interface Tenancy<Credentials, Settings> {
  /** The tenant that an account of its own is for; null for one that serves all that have none. */
  tenantOf(account: Account<Credentials, Settings>): string | null;
  /** By OAuth; null where a tenant is added by its name alone, with the credentials of the account that it is under. */
  readonly oauth: {
    /** Where a person lets us into his team; the platform sends him back to `redirectUrl` with `state` and a code. */
    authoriseUrl(
      account: Account<Credentials, Settings>,
      back: { readonly redirectUrl: string; readonly state: string },
    ): string;
    /** What the code is good for: credentials and settings of the new account, as its manifest has them. */
    exchange(
      grant: { readonly code: string; readonly redirectUrl: string },
      account: Account<Credentials, Settings>,
      tools: Tools,
    ): Promise<{
      readonly tenant: string;
      readonly name: string;
      readonly credentials: Credentials;
      readonly settings: Settings;
    }>;
  } | null;
}
