import type { Generated } from 'kysely';

export interface VisitorTable {
  id: string;
  workspace_id: string;
  channel_id: string;
  user_id: string | null;
  name: string | null;
  email: string | null;
  email_verified: Generated<boolean>;
  audience: Generated<string[]>;
  read_at: Date;
  asking: string | null;
  asking_until: Date | null;
  created_at: Date;
}

export interface VisitorFileTable {
  id: string;
  workspace_id: string;
  visitor_id: string;
  conversation_id: string | null;
  name: string;
  content_type: string;
  size: number;
  bytes: Uint8Array;
  created_at: Date;
}

export interface VisitorSessionTable {
  token_hash: string;
  visitor_id: string;
  created_at: Date;
  expires_at: Date;
}
