import type { components } from './api-types.ts';
import { parseCamelCase } from './casing.ts';
import { WebhookSignatureError } from './errors.ts';

type Schemas = components['schemas'];
type Grounds = Pick<Schemas['QueryResponse'], 'tier' | 'probability'> & {
  readonly aiGenerated: boolean | null;
  readonly quoted: boolean | null;
};

interface WorkspaceData {
  readonly workspaceId: string;
}

/** The conversation of an event, and who asked. */
interface ConversationData extends WorkspaceData {
  readonly conversationId: string;
  readonly channel: Schemas['Conversation']['channel'];
  readonly userId: string | null;
  readonly userVerified: boolean;
  readonly sessionId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

interface MessageData extends ConversationData {
  readonly messageId: string;
  readonly role: Schemas['Message']['role'];
  readonly content: string;
  readonly author: string | null;
}

interface DocumentData extends WorkspaceData {
  readonly documentId: string;
  readonly title: string;
  readonly url: string | null;
  readonly fileName: string | null;
  readonly status: string;
  readonly chunks: number | null;
  readonly failure: { readonly code: string; readonly reason: string } | null;
}

interface ServiceLevelData extends ConversationData {
  readonly status: string;
  readonly unansweredSince: string | null;
  readonly handoverSince: string | null;
}

/** The data of each type of event. The page on webhooks says when each is sent. */
interface EventData {
  'conversation.created': ConversationData & {
    readonly status: Schemas['Conversation']['status'];
    readonly customer: Schemas['Conversation']['customer'];
  };
  'message.created': MessageData & {
    readonly attachments?: Schemas['AgentReply']['attachments'];
    readonly confidence?: Schemas['Message']['confidence'];
    readonly score?: number | null;
    readonly latencyMs?: number | null;
    readonly skillsFired?: readonly string[] | null;
    readonly ended?: Schemas['Message']['ended'];
  } & Partial<Grounds>;
  'message.failed': MessageData & { readonly delivery: Schemas['MessageDelivery'] };
  'answer.low_confidence': ConversationData &
    Grounds & {
      readonly messageId: string;
      readonly question: string;
      readonly answer: string;
      readonly confidence: 'high' | 'medium' | 'low';
    };
  'message.feedback': ConversationData & {
    readonly messageId: string;
    readonly value: 'up' | 'down' | null;
    readonly comment: string | null;
  };
  'lead.captured': ConversationData & {
    readonly customer: Schemas['Conversation']['customer'];
    /** The visitor's words, and when they wrote them. */
    readonly consent: string;
  };
  'conversation.escalated': ConversationData & {
    readonly reason: string | null;
    readonly actor: string | null;
    readonly customer: Schemas['Conversation']['customer'];
  };
  'conversation.status_changed': ConversationData & {
    readonly from: Schemas['Conversation']['status'];
    readonly to: Schemas['Conversation']['status'];
    readonly actor: string | null;
  };
  'conversation.rated': ConversationData & {
    readonly score: number;
    readonly comment: string | null;
    readonly assigneeId: string | null;
    readonly resolvedAt: string;
    readonly resolvedBy: string | null;
  };
  'document.indexed': DocumentData;
  'document.failed': DocumentData;
  'source.held': WorkspaceData & {
    readonly sourceId: string;
    readonly name: string;
    readonly kind: string;
    readonly runId: string;
    readonly removed: number;
    readonly changed: number;
    readonly kept: number;
  };
  'sla.at_risk': ServiceLevelData;
  'sla.breached': ServiceLevelData;
  'webhook.test': WorkspaceData & { readonly webhookId: string; readonly requestedBy: string };
}

/** An event, told apart by `type`. Later versions of the service may send further types. */
export type WebhookEvent = {
  [Type in keyof EventData]: {
    /** The same on every attempt: ignore an id that you have handled. */
    readonly id: string;
    readonly type: Type;
    readonly timestamp: string;
    readonly data: EventData[Type];
  };
}[keyof EventData];

export interface Delivery {
  readonly headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  /** Exactly as it arrived: a parsed and written body has another signature. */
  readonly body: string;
}

export interface VerifyOptions {
  /** Older deliveries are refused, so that nobody sends a recorded one again. Default: 300 seconds. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

/**
 * Resolves with the event of a delivery that `secret` (`whsec_…`) has signed. Rejects with `WebhookSignatureError` if it
 * has not: answer such a request with 401 and do nothing.
 */
export async function verifyWebhook(
  delivery: Request | Delivery,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = delivery instanceof Request ? await delivery.text() : delivery.body;
  const id = header(delivery.headers, 'webhook-id');
  const timestamp = header(delivery.headers, 'webhook-timestamp');
  const age = now.getTime() / 1_000 - Number(timestamp || Number.NaN);
  if (!(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookSignatureError('webhook-timestamp is missing or too far from now. Check the clock.');
  }
  const signatures = header(delivery.headers, 'webhook-signature').split(' ');
  const text = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const key = await importSecret(secret);
  const checks = signatures.map((signature) => matches(key, signature, text));
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookSignatureError('No signature matches. Check the secret, and verify the raw body.');
  }
  const event = readEvent(body);
  if (event === null) throw new WebhookSignatureError('The body is not an event.');
  return { ...event, id };
}

function readEvent(body: string): WebhookEvent | null {
  try {
    const event = parseCamelCase(body);
    return isEvent(event) ? event : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function header(headers: Delivery['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** As the runtime names it: browsers and Node have a type of their own. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function importSecret(secret: string): Promise<HmacKey> {
  const bytes = fromBase64(secret.replace('whsec_', ''));
  if (bytes === null) throw new WebhookSignatureError('The secret is not one of Parley: whsec_….');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Compares in constant time. A rotated secret has two signatures in one header. */
async function matches(key: HmacKey, signature: string, text: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice('v1,'.length)) : null;
  return bytes !== null && crypto.subtle.verify('HMAC', key, bytes, text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]{1,512}={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === 'object' && value !== null && 'type' in value && 'data' in value;
