import { z } from 'zod';

const namedSchema = z.looseObject({ name: z.string() });

/** https://developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-issues/#api-rest-api-2-issue-issueidorkey-get */
export const issueSchema = z.object({
  id: z.string(),
  key: z.string(),
  /** Texts as HTML, by the ids of fields. */
  renderedFields: z.looseObject({ description: z.string().nullish() }).nullish(),
  /** Names of fields for people, by their ids. */
  names: z.record(z.string(), z.string()).nullish(),
  fields: z.looseObject({
    ...{ summary: z.string().nullish(), updated: z.string().nullish(), security: z.unknown().optional() },
    project: namedSchema.nullish(),
    parent: z.looseObject({ fields: z.looseObject({ summary: z.string() }) }).nullish(),
    attachment: z
      .array(
        z.object({
          ...{ id: z.string(), filename: z.string(), content: z.string() },
          ...{ mimeType: z.string().nullish(), size: z.number().nullish(), created: z.string().nullish() },
        }),
      )
      .nullish(),
  }),
});
export type Issue = z.output<typeof issueSchema>;

/** Fields that are the text itself, or say nothing to a reader. */
const silent = new Set(
  `summary description comment attachment project parent security updated created creator reporter assignee watches votes
  worklog timetracking aggregateprogress progress workratio lastViewed issuelinks subtasks thumbnail issuerestriction
  statuscategorychangedate statusCategory aggregatetimespent aggregatetimeestimate aggregatetimeoriginalestimate timespent
  timeestimate timeoriginalestimate resolutiondate`.split(/\s+/),
);
const MOST_FACTS = 60;
const MOST_CHARACTERS = 2_000;

/** Returns where an issue stands, and its fields with the names that people know. */
export function readFacts({ fields, names }: Issue) {
  const path = [fields.project?.name, fields.parent?.fields.summary];
  const facts = Object.entries(fields)
    .filter(([id]) => !silent.has(id))
    .map(([id, value]) => [names?.[id] ?? id, textOf(value)] as const)
    // A field without a name is one of Jira's own workings.
    .filter(([label, text]) => text !== '' && !label.startsWith('customfield_'))
    .slice(0, MOST_FACTS);
  return { path, facts };
}

/** The value of a field of any kind: a text, a number, an option, a person's or a version's name, or a list of them. */
function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return isInternal(value) ? '' : value.slice(0, MOST_CHARACTERS).trim();
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (depth > 3 || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) {
    const texts = value.map((one) => textOf(one, depth + 1)).filter((text) => text !== '');
    return texts.join(', ').slice(0, MOST_CHARACTERS);
  }
  const parsed = optionSchema.safeParse(value);
  if (!parsed.success) return '';
  const { value: option, name, displayName, child } = parsed.data;
  const own = textOf(option ?? name ?? displayName, depth + 1);
  const inner = textOf(child, depth + 1);
  return inner === '' ? own : `${own} › ${inner}`;
}

const optionSchema = z.looseObject({
  value: z.unknown().optional(),
  name: z.unknown().optional(),
  displayName: z.unknown().optional(),
  /** The second step of a choice in two steps. */
  child: z.unknown().optional(),
});

/** Ranks and the states of development tools. */
function isInternal(text: string): boolean {
  return /^\d\|[\w:]{1,50}$/.test(text) || text === '{}' || text.startsWith('{pullrequest=');
}
