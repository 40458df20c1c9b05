/** The appearance of the widget, as the server sends it. */
export interface Look {
  title: string;
  greeting: string;
  /** Says that a machine answers; null if the workspace does not show it. */
  disclosure: string | null;
  accent: { colour: string; text: string; light: string; dark: string };
  logo_url: string | null;
  suggestions: string[];
  /** Whether visitors choose between the assistant and a person before they write. */
  choice: boolean;
  /** The limits of attachments; null if they are disabled. */
  attachments: { types: string[]; max_bytes: number; max_files: number } | null;
  theme: 'auto' | 'light' | 'dark';
  position: 'left' | 'right';
  language: string;
  direction: 'ltr' | 'rtl';
  texts: Record<string, string>;
  script: string;
}

export interface Source {
  title: string;
  url: string | null;
  /** The headings above the passage, outermost first; absent, as the next, from a server of an earlier version. */
  headings?: string[];
  /** When its document was changed last. */
  changed_at?: string | null;
  chunk: string;
  /** Where in its document the passage stands. */
  place: { label: string; url: string | null } | null;
}

export interface SentFile {
  /** The id of a file that is uploaded but not sent yet. */
  id?: string;
  name: string | null;
  content_type?: string | null;
  bytes?: number | null;
  /** The link of an agent's file, or the path of it. */
  url?: string;
}

export type Tier = 'answer' | 'maybe' | 'none';

export interface Message {
  id: string;
  role: 'user' | 'assistant' | 'agent';
  content: string;
  created_at: string;
  sources: Source[];
  /** Pages close to a question that has no answer. */
  related: Source[];
  /** Of an answer: `maybe` says that it is unsure. */
  tier: Tier | null;
  /** The sentence that answers; null: the content. */
  lead: string | null;
  author: string | null;
  feedback: 'up' | 'down' | null;
  cut: boolean;
  handover: boolean;
  attachments: SentFile[];
}

export interface State {
  status: 'open' | 'waiting' | 'person' | 'closed';
  agent: string | null;
  unread: number;
  answering: boolean;
  /** Set if a person resolved the conversation and the visitor is asked how it was. */
  rating: { score: number | null } | null;
}

/** The visitor's rating of a conversation, from 1 to 5. */
export interface Rating {
  score: number;
  comment: string | null;
}

export interface History extends State {
  messages: Message[];
  pagination: { next_cursor: string | null };
}

/** One event of an answer stream. */
export interface Frame {
  stage?: string;
  token?: string;
  done?: boolean;
  kept?: boolean;
  error?: string;
  code?: string;
  message_id?: string;
  tier?: Tier;
  lead?: string | null;
  sources?: Source[];
  skills_fired?: string[];
}

/** One event of the live updates. */
export type News =
  | ({ event: 'state' } & State)
  | { event: 'message'; message: Message }
  /** An agent writes. */
  | { event: 'typing'; name: string }
  /** The server is there. */
  | { event: 'alive' };

/** The proof of the visitor's identity. */
export interface Identity {
  verification_token?: string;
  user?: { user_id: string; hash?: string; name?: string; email?: string };
}

/** Events that the embedding page can listen to. */
export type EventName = 'ready' | 'open' | 'close' | 'message' | 'unread' | 'handover' | 'error';

/** The loader's input to the chat. */
export interface ChatHost {
  readonly base: string;
  readonly token: string;
  readonly look: Look;
  readonly root: ShadowRoot;
  readonly emit: (name: EventName, detail?: unknown) => void;
  readonly unread: (count: number) => void;
  /** Called when the panel is opened or closed. */
  readonly shown: (isOpen: boolean) => void;
}

export interface Chat {
  open(): void;
  close(): void;
  ask(text: string): void;
  identify(identity: Identity): Promise<void>;
  logout(): Promise<void>;
}
