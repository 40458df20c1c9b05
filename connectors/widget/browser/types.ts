/** What the server tells of the widget's look. */
export interface Look {
  title: string;
  greeting: string;
  accent: { colour: string; text: string; light: string; dark: string };
  logo_url: string | null;
  suggestions: string[];
  /** Whether to ask first if the assistant or a person is wanted. */
  choice: boolean;
  /** What may be sent along; null where nothing may. */
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
  chunk: string;
}

export interface SentFile {
  /** Of one that was handed in and is not sent. */
  id?: string;
  name: string | null;
}

export interface Message {
  id: string;
  role: 'user' | 'assistant' | 'agent';
  content: string;
  created_at: string;
  sources: Source[];
  /** Pages that are near to a question without an answer. */
  related: Source[];
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
}

export interface History extends State {
  messages: Message[];
  pagination: { next_cursor: string | null };
}

/** One event of an answer. */
export interface Frame {
  stage?: string;
  token?: string;
  done?: boolean;
  kept?: boolean;
  error?: string;
  code?: string;
  message_id?: string;
  confidence?: string;
  sources?: Source[];
  skills_fired?: string[];
}

/** One event of what happens beside answers. */
export type News = ({ event: 'state' } & State) | { event: 'message'; message: Message };

/** What proves who the visitor is. */
export interface Identity {
  verification_token?: string;
  user?: { user_id: string; hash?: string; name?: string; email?: string };
}

/** What the page that carries the widget may hear of. */
export type EventName = 'ready' | 'open' | 'close' | 'message' | 'unread' | 'handover' | 'error';

/** What the open chat is given by who opens it. */
export interface ChatHost {
  readonly base: string;
  readonly token: string;
  readonly look: Look;
  readonly root: ShadowRoot;
  readonly emit: (name: EventName, detail?: unknown) => void;
  readonly unread: (count: number) => void;
  /** The panel was opened or closed. */
  readonly shown: (isOpen: boolean) => void;
}

export interface Chat {
  open(): void;
  close(): void;
  ask(text: string): void;
  identify(identity: Identity): Promise<void>;
  logout(): Promise<void>;
}
