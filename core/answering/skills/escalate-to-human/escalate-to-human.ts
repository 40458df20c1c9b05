import { z } from 'zod';
import { humanSkill, type Skill, type SkillMoment, type SkillOutcome } from '../../../contract/skill.ts';
import { findSupportState } from '../../../workspaces/support-hours.ts';
import type { WorkspaceSettings } from '../../../workspaces/workspace-settings.ts';
import { isAgreement } from '../../small-talk/small-talk.ts';
import { createRequestMatcher, normaliseSpeech } from '../request-matcher.ts';
import { handoverMessage } from './handover-message.ts';

const MAX_REASON_CHARACTERS = 500;
const givenSchema = z.object({ reason: z.string() });

/** Hands the conversation over to the team and tells the visitor when to expect a person. */
export function escalateToHuman({ support_hours: hours }: WorkspaceSettings): Skill {
  return {
    name: humanSkill,
    description:
      'Hands the conversation over to a person of the team. Use it when the visitor asks for a person, is upset, or needs something that only a person can do. Never use it for a question about agents or support in general.',
    parameters: {
      type: 'object',
      properties: {
        reason: {
          type: 'string',
          maxLength: MAX_REASON_CHARACTERS,
          description: 'Why a person is needed, in one sentence for the team.',
        },
      },
      additionalProperties: false,
    },
    runsFor: 'everyone',
    trigger: ({ question, awaited }) =>
      isHumanRequest(question) || (awaited !== null && isAgreement(question)) ? {} : null,
    async run(given, moment): Promise<SkillOutcome> {
      const reply = handoverMessage({
        language: moment.language,
        wasKnown: moment.withPerson,
        support: findSupportState(hours, moment.now),
        zone: hours?.time_zone ?? '',
      });
      if (moment.withPerson) return { reply, finding: null, effects: [] };
      return {
        reply,
        finding: null,
        effects: [{ kind: 'escalate', reason: parseReason(given, moment) }],
      };
    },
  };
}

function parseReason(given: unknown, { question, awaited }: SkillMoment): string {
  const { data } = givenSchema.safeParse(given);
  const reason = Array.from(data?.reason.trim() ?? '')
    .slice(0, MAX_REASON_CHARACTERS)
    .join('')
    .trim();
  if (reason !== '') return reason;
  // A model may call the skill without a reason and without a request of the visitor.
  if (isHumanRequest(question)) return 'The visitor asked for a person.';
  return awaited === null ? 'A person is needed.' : 'The visitor accepted the offer of a person.';
}

/** Matches in every language: the language of short requests such as `agente humano` cannot be detected. */
const isRequest = createRequestMatcher(({ personRequests }) => personRequests);

/** Returns whether the visitor asks for a person to take over. */
export function isHumanRequest(words: string): boolean {
  return normaliseSpeech(words).some(isRequest);
}
