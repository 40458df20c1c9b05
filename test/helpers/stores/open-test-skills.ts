import type { CallableSkill } from '../../../core/answering/skills/http/http-skill-record.ts';
import { httpSkill, type SkillDependencies } from '../../../core/answering/skills/http/run-http-skill.ts';
import type { SkillMoment } from '../../../core/contract/skill.ts';
import { SecretBox } from '../../../core/secrets/secret-box.ts';

/** An HTTP skill that looks up orders, and what is logged of it. */
export function openTestSkills(url: string) {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const secretBox = new SecretBox(Buffer.alloc(32));
  const logged: object[] = [];
  const dependencies: SkillDependencies = {
    clock: { now: () => new Date() },
    secretBox,
    log: { warn: (told: object) => void logged.push(told) },
    allowPrivate: true,
  };
  const record: CallableSkill = {
    id: 'skill_1',
    workspaceId: 'ws_1',
    name: 'order_status',
    description: 'Looks up where an order is.',
    parameters: {
      type: 'object',
      properties: { order_id: { type: 'string', description: 'The number on the confirmation' } },
      required: ['order_id'],
    },
    url,
    timeoutMs: 10_000,
    runsFor: 'everyone',
    enabled: true,
    createdAt: new Date(),
    secretEncrypted: secretBox.seal(secret, {
      table: 'http_skill',
      column: 'secret_encrypted',
      id: 'skill_1',
    }),
    previousSecretEncrypted: null,
    previousSecretUntil: null,
  };
  const moment: SkillMoment = {
    workspaceId: 'ws_1',
    channel: 'api',
    conversationId: 'conv_1',
    question: 'Where is my order A-1?',
    language: 'en',
    earlierQuestions: [],
    customer: { name: null, email: null, phone: null },
    userId: null,
    withPerson: false,
    awaited: null,
    now: new Date(),
    signal: new AbortController().signal,
  };
  return {
    secret,
    logged,
    moment,
    skill: (fields: Partial<CallableSkill> = {}, others: Partial<SkillDependencies> = {}) =>
      httpSkill({ ...record, ...fields }, { ...dependencies, ...others }),
  };
}
