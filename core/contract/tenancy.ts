import type { Account } from './account.ts';
import type { Tools } from './tools.ts';

/**
 * One account of ours in which several of the platform's install us: a Slack app in many teams, a bot in many guilds. Each
 * is an account of its own, of whichever workspace, under the one that has the app: what it has not of its own is that
 * one's, `webhookUrl` and `secret` too. All comes to the one that has the app, whose deliveries say whose they are.
 */
export interface Tenancy<Credentials, Settings> {
  /** Of the settings: the tenant that an account is for; null for one that serves all that have none of their own. */
  tenantOf(account: Account<Credentials, Settings>): string | null;
  /** By OAuth; null where a tenant is added by its name alone, with the credentials of the account that it is under. */
  readonly oauth: {
    /** Where a person lets us into his team; the platform sends him back to `redirectUrl` with `state` and a code. */
    authoriseUrl(
      account: Account<Credentials, Settings>,
      back: { readonly redirectUrl: string; readonly state: string },
    ): string;
    /**
     * What the code is good for: credentials and settings of the new account, as its manifest has them. They may hold
     * those of the account that it is under: what is the same is kept there only. `tenantOf` them is `tenant`.
     */
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
