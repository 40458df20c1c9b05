import type { Clock } from '../../clock.ts';
import type { SkillMoment } from '../../contract/skill.ts';
import { FetchError, guardedFetch, type ResolveHost } from '../../http-client.ts';
import { newId } from '../../ids.ts';
import { signWebhook } from '../../webhooks/sign-webhook.ts';
import type { SecretBox } from '../../workspaces/secret-box.ts';
import { openSecrets } from '../../workspaces/secret-rotation.ts';
import type { CallableSkill } from './http-skill-record.ts';

export interface CallDependencies {
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** Whether private networks may be called, and without encryption. */
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

const maxBytes = 64 * 1024;

/**
 * Calls a skill's server once, with arguments that fit. Throws a FetchError, or the reason of the moment's signal when
 * that aborts.
 */
export async function callSkill(
  { clock, secretBox, allowPrivate, resolveHost }: CallDependencies,
  skill: CallableSkill,
  call: SkillCall,
): Promise<SkillReply> {
  if (!isCallableAddress(skill.url, allowPrivate)) {
    throw new FetchError('invalid_address', 'The address is not an https address.');
  }
  const at = clock.now();
  const body = buildBody(skill, call, at);
  const secrets = openSecrets(
    secretBox,
    { table: 'http_skill', column: 'secret_encrypted', id: skill.id },
    {
      current: skill.secretEncrypted,
      previous: skill.previousSecretEncrypted,
      previousUntil: skill.previousSecretUntil,
      now: at,
    },
  );
  const signed = signWebhook(secrets, { id: newId('call'), at, body });
  const { status, headers, bytes } = await guardedFetch(skill.url, {
    method: 'POST',
    headers: {
      ...signed,
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'Parley/0.1 (skills)',
    },
    body,
    maxBytes,
    maxRedirects: 0,
    timeoutMs: skill.timeoutMs,
    allowPrivate,
    signal: call.moment.signal,
    ...(resolveHost && { resolveHost }),
  });
  return { status, contentType: headers.get('content-type'), bytes };
}

function buildBody(skill: CallableSkill, { given, moment }: SkillCall, at: Date): string {
  const { conversationId, channel, question, language, userId } = moment;
  return JSON.stringify({
    type: 'skill.called',
    timestamp: at.toISOString(),
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

/** Whether what visitors say may go to that address: in clear only where private networks may be called. */
export function isCallableAddress(url: string, allowPrivate: boolean): boolean {
  return allowPrivate || URL.parse(url)?.protocol === 'https:';
}
