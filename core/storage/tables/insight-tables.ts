export interface InsightEpisodeTable {
  conversation_id: string;
  number: number;
  workspace_id: string;
  channel: string;
  first_position: number;
  started_at: Date;
  ended_at: Date;
  settles_at: Date;
  outcome: string;
  handed_at: Date | null;
  replied_at: Date | null;
  solved_at: Date | null;
  disclosure: string | null;
  rating_asked: boolean;
  rating: number | null;
}

export interface InsightQuestionTable {
  conversation_id: string;
  position: number;
  episode: number;
  workspace_id: string;
  channel: string;
  asked_at: Date;
  language: string;
  audience: string[] | null;
  confidence: string;
  answered: boolean;
  probability: number | null;
  opinion: string | null;
  tokens: number;
  latency_ms: number | null;
  model: string | null;
  failovers: number;
  documents: string[];
  outcome: string;
  settles_at: Date;
}

export interface InsightProgressTable {
  workspace_id: string;
  updated_until: Date;
  conversation_id: string;
}

export interface ReportKeyTable {
  id: string;
  public_key: string;
  secret_encrypted: string;
  created_at: Date;
}
