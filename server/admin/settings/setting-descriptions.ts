import { z } from 'zod';
import { defaultTiers } from '../../../core/answering/rules.ts';
import { builtInSkillNames, isSkillEnabled } from '../../../core/answering/skills/built-in-skills.ts';
import { humanSkill } from '../../../core/contract/skill.ts';
import { disclosureMessage, findText } from '../../../core/language/localised-texts.ts';
import {
  ownTextLanguages,
  plans,
  type WorkspaceSettings,
  workspaceSettingsSchema,
} from '../../../core/workspaces/workspace-settings.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';

/** The settings that belong together on a screen. */
const groups = ['general', 'answers', 'models', 'hours', 'identity', 'public'] as const;

interface SettingDescription {
  readonly group: (typeof groups)[number];
  readonly title: string;
  readonly description: string;
  /** The change for visitors or agents, and its time. */
  readonly effect: string;
  /** The value that counts while the setting is not set. Absent: there is none, or it depends on the installation. */
  readonly default?: unknown;
}

/** The texts of each setting, in the order of forms. The schema that validates a setting says which values it takes. */
const descriptions: Readonly<Record<keyof WorkspaceSettings, SettingDescription>> = {
  description: {
    group: 'general',
    title: 'Description',
    description: 'What this workspace is about, in one or two sentences.',
    effect: 'Agents of other companies read it before they ask.',
  },
  audiences: {
    group: 'general',
    title: 'Audiences',
    description: 'Tags that documents and verified visitors can have, such as staff or partners.',
    default: [],
    effect: 'A document with an audience answers only visitors who have it.',
  },
  plan_audiences: {
    group: 'general',
    title: 'Audiences of plans',
    description: 'The audiences that the claim `plan` of a verification_token opens, by plan.',
    effect: 'Unset: a plan opens the audience of the same name.',
  },
  allowed_domains: {
    group: 'general',
    title: 'Domains of the widget',
    description: 'Sites that may show the widget, without https://.',
    default: [],
    effect: 'Empty: every site may. A widget with domains of its own does not read these.',
  },
  retention_days: {
    group: 'general',
    title: 'Keep conversations for (days)',
    description: 'A conversation without a message for as long is deleted.',
    effect: 'Counts from the next hour on, also for conversations that are there already.',
  },
  trace_days: {
    group: 'answers',
    title: 'Keep the traces of answers for (days)',
    description: 'How an answer was made, step by step, for people who look into it.',
    default: 30,
    effect: '0 makes none from the next question on. The traces of older answers go within minutes.',
  },
  strictness: {
    group: 'answers',
    title: 'When the documents do not answer',
    description: 'strict says so; fallback adds what the language model knows, marked with low confidence.',
    default: 'strict',
    effect: 'Counts from the next question on.',
  },
  fallback_message: {
    group: 'answers',
    title: 'Text when nothing is found',
    description: 'Visitors get it in place of an answer.',
    effect: 'Without one, visitors get a short text in their own language.',
  },
  fallback_messages: {
    group: 'answers',
    title: 'Text when nothing is found, by language',
    description: 'The text for visitors who write in that language.',
    effect: 'Other languages keep the text for all languages, or the built-in one.',
  },
  disclosure_enabled: {
    group: 'answers',
    title: 'Say that a machine answers',
    description:
      'Before the first answer of a conversation, after a pause of 24 hours and when a person returns it; in the greeting of calls; at the top of the widget and the page. Not where the platform marks bots itself.',
    default: true,
    effect: 'Counts from the next answer on. The law of many countries requires it.',
  },
  disclosure_message: {
    group: 'answers',
    title: 'Sentence that a machine answers',
    description: 'Visitors read or hear it before the first answer.',
    effect: 'Without one, visitors get a short sentence in their own language.',
  },
  disclosure_messages: {
    group: 'answers',
    title: 'Sentence that a machine answers, by language',
    description: 'The sentence for visitors who write in that language.',
    effect: 'Other languages keep the sentence for all languages, or the built-in one.',
  },
  model: {
    group: 'models',
    title: 'Language models',
    description:
      'As provider:model, such as openai:gpt-5-mini, separated by commas in the order in which they are tried. Each needs a key of its provider.',
    effect:
      'Those of the installation follow, and answer alone without any here; without those, answers are quoted passages.',
  },
  embedding_model: {
    group: 'answers',
    title: 'Embedding model',
    description: 'built-in, or provider:model with a provider that is configured on the server.',
    effect: 'Documents are embedded again in the background; until then the former model finds passages.',
  },
  mask_secrets: {
    group: 'answers',
    title: 'Mask secrets in questions',
    description:
      'Card numbers, passwords and keys are replaced before anything is stored or sent to a model.',
    default: false,
    effect: 'Counts from the next question on. Stored conversations stay as they are.',
  },
  skills: {
    group: 'answers',
    title: 'Built-in skills',
    description:
      'What the engine may do besides answering: knowledge_search, collect_lead, escalate_to_human.',
    default: [...builtInSkillNames],
    effect: 'An empty list switches all of them off.',
  },
  answer_from: {
    group: 'answers',
    title: 'Show as the answer from',
    description: 'The least probability, from 0.2 to 0.9, at which what was found is shown as the answer.',
    default: defaultTiers().answer,
    effect: 'Counts from the next question on, where no language model writes.',
  },
  maybe_from: {
    group: 'answers',
    title: 'Show as unsure from',
    description:
      'The least probability at which what was found is shown with the words that it may be the answer. At most the value above; the same value means never.',
    default: defaultTiers().maybe,
    effect: 'Below it, visitors get the text for when nothing is found.',
  },
  escalate_after_fallbacks: {
    group: 'answers',
    title: 'Bring in a person after (unanswered questions)',
    description:
      'So many questions in a row without an answer, or with an unsure one that did not help, hand the conversation over.',
    effect: 'Without it, a person comes only if the visitor asks for one.',
  },
  publish_needs_green: {
    group: 'answers',
    title: 'Publish green change sets only',
    description:
      'A change set is green when the test questions were asked with it and nothing stands against it: each answer that differs is better, or a person accepted it.',
    default: false,
    effect:
      'Counts for the next change set that is published. Documents and settings can still be saved directly.',
  },
  support_hours: {
    group: 'hours',
    title: 'Support hours',
    description: 'When people answer. A day without hours is closed.',
    effect: 'Outside of them visitors are told when you open, and the clocks below stand still.',
  },
  sla: {
    group: 'hours',
    title: 'Targets for people',
    description: 'Minutes until the first reply, and until the conversation is resolved.',
    effect: 'The inbox shows the time that is left, and webhooks tell before it runs out.',
  },
  ask_for_rating: {
    group: 'hours',
    title: 'Ask for a rating',
    description:
      'Visitors rate a conversation from 1 to 5 when a person who replied resolved it, on all channels but voice. The widget and the page show a form, the others send a question.',
    default: true,
    effect: 'Counts from the next resolution on.',
  },
  handover: {
    group: 'hours',
    title: 'Who gets a conversation',
    description:
      'round_robin or least_busy assigns it to somebody who is available; none leaves it in the queue. People get at most capacity conversations that wait for them at once, and only while their dashboard is open. Without an answer it goes on to the next person after return_after_minutes, and to the queue once everybody had it.',
    effect: 'Counts within a minute. Outside of the support hours nobody gets one.',
  },
  require_identity_verification: {
    group: 'identity',
    title: 'Answer verified visitors only',
    description: 'Questions without a proof of who asks are refused with verification_required.',
    default: false,
    effect: 'Sign your visitors in first: the widget stops for everybody else at once.',
  },
  nlweb_enabled: {
    group: 'public',
    title: 'Public agent (NLWeb)',
    description: 'Anybody can ask what documents without an audience answer.',
    default: false,
    effect: 'Counts at once. Questions count against the quota.',
  },
  mcp_enabled: {
    group: 'public',
    title: 'Public agent (MCP)',
    description: 'The same for assistants that speak the Model Context Protocol.',
    default: false,
    effect: 'Counts at once. Questions count against the quota.',
  },
};

const propertySchema = z.record(z.string(), z.unknown());

/**
 * Returns the JSON schema of a workspace's settings. Made from the schema that validates them; each property has a title,
 * a description, its default, `x-effect` and `x-group`.
 */
export function describeSettings({ plan, settings }: Pick<Workspace, 'plan' | 'settings'>) {
  const { retentionDays } = plans[plan];
  const offersPerson = isSkillEnabled(settings, humanSkill);
  const own: { readonly [Name in keyof WorkspaceSettings]?: object } = {
    retention_days: { maximum: retentionDays, default: retentionDays },
    skills: { items: { type: 'string', enum: [...builtInSkillNames] } },
    fallback_messages: { properties: describeTexts((code) => findText('fallback', code)) },
    disclosure_messages: { properties: describeTexts((code) => disclosureMessage(code, { offersPerson })) },
  };
  const properties = Object.entries(descriptions).map(([name, { group, effect, ...text }]) => {
    const key = settingName.parse(name);
    const schema = workspaceSettingsSchema.shape[key];
    const { $schema: _, ...values } = propertySchema.parse(z.toJSONSchema(schema, { io: 'input' }));
    return [name, { ...values, ...text, ...own[key], 'x-effect': effect, 'x-group': group }] as const;
  });
  return { type: 'object' as const, properties: Object.fromEntries(properties) };
}

/** The text of each language, with the built-in one as its default. */
function describeTexts(builtIn: (code: string) => string) {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const text = { type: 'string', minLength: 1, maxLength: 1_000 };
  return Object.fromEntries(
    ownTextLanguages.map((code) => [code, { ...text, title: names.of(code), default: builtIn(code) }]),
  );
}

const settingName = workspaceSettingsSchema.keyof();
