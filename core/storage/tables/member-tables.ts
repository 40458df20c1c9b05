import type { ColumnType, Generated } from 'kysely';

/** Optional on insert. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

/** Written as JSON text, read as a parsed value. */
type GeneratedJson = ColumnType<unknown, string | undefined, string>;

export interface PersonTable {
  id: string;
  email: string;
  name: string;
  email_verified: Generated<boolean>;
  image: Nullable<string>;
  two_factor_enabled: Generated<boolean>;
  is_operator: Generated<boolean>;
  language: Nullable<string>;
  time_zone: Nullable<string>;
  theme: Generated<string>;
  keys_enabled: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** How the person is told of conversations that wait. */
  notifications: GeneratedJson;
  /** The keys that the person chose, by action; null for none. */
  own_keys: GeneratedJson;
  /** Whether the person is mailed about mentions and assigned conversations that they have not seen. */
  email_digest: Generated<boolean>;
}

/** A server with agents who watch a workspace. */
export interface AgentListenerTable {
  workspace_id: string;
  process_id: string;
  until: Date;
}

export interface PersonSessionTable {
  id: string;
  person_id: string;
  token: string;
  expires_at: Date;
  ip_address: Nullable<string>;
  user_agent: Nullable<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  method: Nullable<string>;
  owner_id: Nullable<string>;
  proven_at: Nullable<Date>;
}

export interface PersonAccountTable {
  id: string;
  person_id: string;
  provider_id: string;
  account_id: string;
  password: Nullable<string>;
  access_token: Nullable<string>;
  refresh_token: Nullable<string>;
  id_token: Nullable<string>;
  access_token_expires_at: Nullable<Date>;
  refresh_token_expires_at: Nullable<Date>;
  scope: Nullable<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface PersonVerificationTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface PersonTwoFactorTable {
  id: string;
  person_id: string;
  secret: string;
  backup_codes: string;
  verified: Nullable<boolean>;
  failed_verification_count: Nullable<number>;
  locked_until: Nullable<Date>;
  last_step: Nullable<string>;
}

export interface PersonPasskeyTable {
  id: string;
  person_id: string;
  name: Nullable<string>;
  public_key: string;
  credential_id: string;
  counter: number;
  device_type: string;
  backed_up: boolean;
  transports: Nullable<string>;
  aaguid: Nullable<string>;
  created_at: Nullable<Date>;
}

export interface SignInFailureTable {
  email_hash: string;
  failures: number;
  locked_until: Nullable<Date>;
  updated_at: Date;
}

export interface MembershipTable {
  person_id: string;
  owner_id: string;
  role: string;
  /** Null: all workspaces of the owner. */
  workspace_ids: Nullable<string[]>;
  created_at: Date;
}

export interface MemberLinkTable {
  id: string;
  kind: string;
  token_hash: string;
  email: Nullable<string>;
  owner_id: Nullable<string>;
  role: Nullable<string>;
  workspace_ids: Nullable<string[]>;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  used_at: Nullable<Date>;
  keeps_second_factor: Generated<boolean>;
  mails: Generated<number>;
  mailed_at: Nullable<Date>;
  mail_fault: Nullable<string>;
}

export interface SignInProviderTable {
  id: string;
  owner_id: string;
  name: string;
  issuer: string;
  client_id: string;
  client_secret_encrypted: string;
  domains: string[];
  default_role: string;
  enabled: boolean;
  required: boolean;
  tested_at: Nullable<Date>;
  tested_as: Nullable<string>;
  test_fault: Nullable<string>;
  created_at: Date;
  updated_at: Date;
  trusts_addresses: Generated<boolean>;
}

export interface SignInDomainTable {
  owner_id: string;
  domain: string;
  token: string;
  claimed_at: Date;
  claimed_by: string;
  verified_at: Nullable<Date>;
  verified_by: Nullable<string>;
  checked_at: Nullable<Date>;
  fault: Nullable<string>;
}

export interface OwnerModelKeyTable {
  id: string;
  owner_id: string;
  provider: string;
  key_encrypted: string;
  last_four: string;
  set_at: Date;
  set_by: string;
  tried_at: Date;
  tried_model: string;
  outcome: string;
  answer_ms: number;
  tokens: number;
  reason: string | null;
}
