import { isSkillEnabled } from '../answering/skills/built-in-skills.ts';
import type { About } from '../contract/connector.ts';
import { humanSkill } from '../contract/skill.ts';
import { disclosureMessage, ownText } from '../language/localised-texts.ts';
import type { WorkspaceSettings } from '../workspaces/workspace-settings.ts';

/** After this pause a visitor may have forgotten that a machine answers. */
const REPEAT_AFTER_MS = 24 * 60 * 60 * 1_000;

/** The newest disclosure of a conversation. Null if there was none since its start or since a person had it. */
interface DisclosedConversation {
  readonly disclosedAt: Date | null;
}

interface NextAnswer {
  readonly about: Pick<About, 'disclosure'>;
  /** Null if the answer starts a conversation. */
  readonly conversation: DisclosedConversation | null;
  readonly now: Date;
}

/**
 * Returns whether the next answer of the machine begins with the sentence that says so: the first one of a conversation,
 * the first one after a person returned it, and one that comes 24 hours after the last that did. Pure.
 */
export function isDisclosureDue({ about, conversation, now }: NextAnswer): boolean {
  if (about.disclosure !== 'message') return false;
  const at = conversation?.disclosedAt ?? null;
  return at === null || now.getTime() - at.getTime() >= REPEAT_AFTER_MS;
}

/**
 * Returns the sentence of a workspace that says that a machine answers, in a language (ISO 639-1): its own or the built-in
 * one. Null if the workspace has switched it off. Pure.
 */
export function disclosureText(settings: WorkspaceSettings, language: string): string | null {
  const {
    disclosure_enabled: isEnabled,
    disclosure_messages: byLanguage,
    disclosure_message: forAll,
  } = settings;
  if (isEnabled === false) return null;
  const offersPerson = isSkillEnabled(settings, humanSkill);
  return ownText({ byLanguage, forAll }, language) ?? disclosureMessage(language, { offersPerson });
}
