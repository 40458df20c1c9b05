import type { Clock } from '../../../base/clock.ts';
import { FetchError, guardedFetch, type ResolveHost } from '../../../base/http-client.ts';
import { newId } from '../../../base/ids.ts';
import type { SkillMoment } from '../../../contract/skill.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import { openSecrets } from '../../../secrets/secret-rotation.ts';
import { signWebhook } from '../../../webhooks/sign-webhook.ts';
import type { CallableSkill } from './http-skill-record.ts';

export interface CallDependencies {
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** True allows private networks and unencrypted `http`. */
  readonly allowPrivate: boolean;
  readonly resolveHost?: ResolveHost;
}

interface SkillCall {
  readonly given: Readonly<Record<string, unknown>>;
  readonly moment: SkillMoment;
}

export interface SkillReply {
  readonly status: number;
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Calls a skill's server once with valid arguments. Throws a FetchError, or the reason of the moment's signal if it
 * aborts.
 */
export async function callSkill(
  { clock, secretBox, allowPrivate, resolveHost }: CallDependencies,
  skill: CallableSkill,
  call: SkillCall,
): Promise<SkillReply> {
  if (!isCallableAddress(skill.url, allowPrivate)) {
    throw new FetchError('invalid_address', 'The address is not an https address.');
  }
  const now = clock.now();
  const body = buildBody(skill, call, now);
  const secrets = openSecrets(
    secretBox,
    { table: 'http_skill', column: 'secret_encrypted', id: skill.id },
    {
      current: skill.secretEncrypted,
      previous: skill.previousSecretEncrypted,
      previousUntil: skill.previousSecretUntil,
      now,
    },
  );
  const signed = signWebhook(secrets, { id: newId('call'), at: now, body });
  const { status, headers, bytes } = await guardedFetch(skill.url, {
    method: 'POST',
    headers: {
      ...signed,
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'Parley/0.1 (skills)',
    },
    body,
    maxBytes: MAX_RESPONSE_BYTES,
    maxRedirects: 0,
    timeoutMs: skill.timeoutMs,
    allowPrivate,
    signal: call.moment.signal,
    ...(resolveHost && { resolveHost }),
  });
  return { status, contentType: headers.get('content-type'), bytes };
}

function buildBody(skill: CallableSkill, { given, moment }: SkillCall, now: Date): string {
  const { conversationId, channel, question, language, userId } = moment;
  return JSON.stringify({
    type: 'skill.called',
    timestamp: now.toISOString(),
    data: {
      skill: skill.name,
      arguments: given,
      workspace_id: skill.workspaceId,
      conversation_id: conversationId,
      channel,
      ...(question !== '' && { question }),
      language,
      user: userId === null ? null : { id: userId },
    },
  });
}

/** Returns whether visitors' data may be sent to the URL: it must be https unless private networks are allowed. */
export function isCallableAddress(url: string, allowPrivate: boolean): boolean {
  return allowPrivate || URL.parse(url)?.protocol === 'https:';
}
