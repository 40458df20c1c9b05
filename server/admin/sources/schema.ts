import { z } from 'zod';
import { brakeRules } from '../../../core/sources/holds/brake.ts';
import {
  type countNames,
  holdOutcomes,
  type ItemRecord,
  itemStates,
  type RunRecord,
  runPhases,
  runStates,
} from '../../../core/sources/source-record.ts';
import { remedies, sourceStates } from '../../../core/sources/source-state.ts';
import type { SourceView } from '../../../core/sources/source-view.ts';
import { audienceSchema, boundedString, nameSchema, queryFlagSchema } from '../../schemas/fields.ts';
import { indexBacklogSchema, presentIndexBacklog } from '../../schemas/index-backlog.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

/** The path parameters of one source. */
export const sourceParamsSchema = workspaceParamsSchema.extend({
  source_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('source_not_found')),
});

const fields = z.record(z.string(), z.unknown());
const patternsSchema = z.array(boundedString({ min: 1, max: 500 }, z.string().trim())).max(100);

const settings = fields.meta({ description: 'The settings of the kind, as its JSON schema has them.' });
const credentials = fields.meta({ description: 'They are encrypted and never returned.' });
const audience = audienceSchema.meta({
  description: 'Who may read the documents, unless the tool says it for each. Empty: everybody.',
});
const include = patternsSchema.meta({
  description:
    'Only addresses that match one of these are read. `/docs/**` is compared with the path, `*.pdf` with its end, `https://docs.acme.example/**` with the whole address. `*` is anything within a part of the path, `**` anything.',
});
const exclude = patternsSchema.meta({ description: 'Addresses that match one of these are not read.' });
const maxItems = z.int().min(1).max(20_000).meta({ description: 'A run reads no more items than these.' });
const scheduleMinutes = z
  .int()
  .min(15)
  .max(43_200)
  .nullable()
  .meta({ description: 'Minutes from one run to the next. Null: runs are started by hand only.' });

/** A new source. */
export const newSourceSchema = z
  .object({
    name: nameSchema,
    kind: z.string().min(1).max(100).meta({ description: 'The kind, such as website.' }),
    settings: settings.default({}),
    credentials: credentials.default({}),
    audience: audience.default([]),
    include: include.default([]),
    exclude: exclude.default([]),
    max_items: maxItems.default(2_000),
    schedule_minutes: scheduleMinutes.default(1_440),
    run: z.boolean().default(true).meta({ description: 'Whether the first run starts at once.' }),
  })
  .meta({
    examples: [{ name: 'Handbook', kind: 'folder', settings: { path: '/srv/handbook' } }],
  });

/** The fields of a source that can be changed. Absent ones stay. */
export const sourceChangeSchema = z.object({
  name: nameSchema.optional(),
  settings: settings.optional(),
  credentials: credentials.nullable().optional().meta({
    description: 'Replaces all credentials; null removes them. They are encrypted and never returned.',
  }),
  audience: audience.optional(),
  include: include.optional(),
  exclude: exclude.optional(),
  max_items: maxItems.optional(),
  schedule_minutes: scheduleMinutes.optional(),
});

/** The source to try out: the settings of a new one, or a stored one. */
export const previewBodySchema = z.object({
  source_id: z.string().max(100).optional().meta({
    description:
      'A stored source, with its settings and credentials. Otherwise kind and settings are needed.',
  }),
  kind: z.string().min(1).max(100).optional(),
  settings: settings.optional(),
  credentials: credentials.optional(),
  include: include.optional(),
  exclude: exclude.optional(),
});

/** How a run reads. */
export const runQuerySchema = z.object({
  full: queryFlagSchema.optional().meta({
    description: 'Reads every item again without conditions, whatever its version or date says.',
  }),
});

const jsonSchema = z.record(z.string(), z.unknown());

export const sourceKindSchema = z
  .object({
    kind: z.string(),
    settings: jsonSchema.meta({ description: 'The JSON schema of the settings.' }),
    credentials: jsonSchema.meta({
      description:
        'The JSON schema of the credentials. Fields with the format `password` are secret. Without properties, none are needed.',
    }),
    unavailable: z
      .string()
      .nullable()
      .meta({ description: 'Why this installation does not offer the kind, and what to do.' }),
  })
  .meta({ id: 'SourceKind' });

const count = z.int().min(0);

export const sourceRunSchema = z
  .object({
    id: z.string(),
    number: z.int().meta({ description: 'Counts the runs of the source, from 1.' }),
    started_by: z.string().meta({
      description:
        'The name of the person, or `operator`, `schedule`, `change` (of a file in a folder), `webhook github`, or `notice` for changes that waited.',
    }),
    full: z.boolean().meta({ description: 'Whether it reads every item again, whatever its version.' }),
    cut_only: z.boolean().meta({
      description: 'Whether it reads nothing, and only cuts stored pages anew, by a rule or a new version.',
    }),
    scope: z.enum(['all', 'changes']).meta({
      description: 'changes: it reads only items that were named as changed, beside a run that reads all.',
    }),
    state: z.enum(runStates).meta({
      description:
        'held: its changes are implausible, so nothing was removed or replaced. An owner decides, or a later run.',
    }),
    phase: z
      .enum(runPhases)
      .nullable()
      .meta({ description: 'What a run that is going does: it lists items, reads them, removes documents.' }),
    counts: z
      .object({
        listed: count,
        added: count,
        changed: count,
        unchanged: count,
        gone: count,
        removed: count,
        skipped: count,
        failed: count,
      } satisfies Record<(typeof countNames)[number], typeof count>)
      .meta({
        description:
          '`gone` counts items that were not found any more, `removed` documents that were deleted because their item is gone, has moved into another, or is left out. Of a run that is held, `changed` was read and not published.',
      }),
    unlisted: count.meta({
      description:
        'Pages of a website that are linked, and named by neither its sitemap nor a feed. They are read, unless the setting `read_unlisted` is false.',
    }),
    waiting: count.meta({ description: 'Items that are listed and not read yet.' }),
    code: z.string().nullable(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the run failed or waits, or what to know about it.' }),
    hold_outcome: z
      .enum(holdOutcomes)
      .nullable()
      .meta({ description: 'What became of a run that was held. Null while it is.' }),
    waits_until: z.iso.datetime().nullable().meta({ description: 'Set while the tool has asked to wait.' }),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SourceRun' });

const troubleSchema = z
  .object({
    code: z.string(),
    items: count,
    remedy: z.enum(remedies).meta({
      description:
        'What a person can do. wait: the next run tries again. allow_access: let the user agent Parley or the account in. render: offer a version that needs no script. shorten: split it. correct_link: repair the list or the link. replace_file: upload the file anew. read_reason: see the reason.',
    }),
    sample: z.object({
      title: z.string().nullable(),
      url: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  })
  .meta({ id: 'SourceTrouble' });

const holdSchema = z
  .object({
    run_id: z.string(),
    since: z.iso.datetime(),
    rules: z.array(z.enum(brakeRules)).meta({
      description:
        'pages_gone: at least 10 and more than a fifth of the documents would be removed. pages_shrunk: at least 10 and more than three in ten would lose more than half of their text. pages_alike: as many would become the same text.',
    }),
    removed: count,
    changed: count,
    kept: count.meta({ description: 'Documents that stay as they are.' }),
    samples: z
      .array(
        z.object({
          effect: z.enum(['removed', 'changed']),
          document_id: z.string().nullable(),
          title: z.string().nullable(),
          url: z.string().nullable(),
          before: count.nullable().meta({ description: 'Characters of text that it has.' }),
          after: count.nullable().meta({ description: 'Characters of text that it would have.' }),
        }),
      )
      .max(20),
  })
  .meta({ id: 'SourceHold' });

/** A source as people see it, without its credentials. */
export const sourceSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    name: z.string(),
    kind: z.string(),
    settings: fields,
    has_credentials: z.boolean(),
    audience: z.array(z.string()),
    include: z.array(z.string()),
    exclude: z.array(z.string()),
    max_items: z.int(),
    schedule_minutes: z.int().nullable(),
    paused: z.boolean(),
    next_run_at: z.iso.datetime().nullable(),
    state: z.enum(sourceStates).meta({
      description:
        'in_step: every listed item is answered from its newest reading. catching_up: `left` are not yet. needs_you: the `troubles`, or the newest run failed. held: see `hold`.',
    }),
    left: count.meta({
      description: 'Items that are listed and not read, and documents that are read and not in the index.',
    }),
    troubles: z.array(troubleSchema).meta({
      description: 'Items that are answered from an older reading, or not at all, by their code.',
    }),
    hold: holdSchema.nullable().meta({ description: 'What the run would do that waits for an owner.' }),
    lastmod_distrust: z.object({ since: z.iso.datetime(), sample: z.string() }).nullable().meta({
      description:
        'Set if a page, the sample, changed although its list named the same date: every page is checked at each run since then.',
    }),
    documents: count.meta({ description: 'The documents that it keeps in step.' }),
    coverage: z.object({ listed: count, answered: count }).meta({
      description: 'Items that are or should be documents, and those of them that answer.',
    }),
    as_of: z.iso.datetime().nullable().meta({
      description: 'When the newest run began that read it to its end. Answers are no further behind.',
    }),
    indexing: indexBacklogSchema,
    last_run: sourceRunSchema.nullable().meta({ description: 'The newest run, also one that is going.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'KnowledgeSource' });

export const sourceItemSchema = z
  .object({
    key: z.string().meta({ description: 'Identifies the item within its source.' }),
    url: z.string().nullable(),
    title: z.string().nullable(),
    state: z.enum(itemStates).meta({
      description: 'waiting: not read yet. current: it is a document. gone: the last runs did not find it.',
    }),
    code: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'Why it is not a document, or may not stay one.' }),
    document_id: z.string().nullable(),
    aliases: z.array(z.string()).meta({
      description:
        'Keys of items with the same text, at most 50: they are no documents of their own (`code` is `copy`).',
    }),
    depth: z.int().meta({ description: 'The number of links from the start of a website.' }),
    missing_runs: z.int().meta({ description: 'Finished runs in a row that did not find it.' }),
    read_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SourceItem' });

export function presentSource({ hold, ...source }: SourceView): z.output<typeof sourceSchema> {
  return {
    id: source.id,
    workspace_id: source.workspaceId,
    name: source.name,
    kind: source.kind,
    settings: { ...source.settings },
    has_credentials: source.hasCredentials,
    audience: [...source.audience],
    include: [...source.include],
    exclude: [...source.exclude],
    max_items: source.maxItems,
    schedule_minutes: source.scheduleMinutes,
    paused: source.isPaused,
    next_run_at: source.nextRunAt?.toISOString() ?? null,
    state: source.state,
    left: source.left,
    troubles: source.troubles.map((trouble) => ({ ...trouble })),
    hold: hold && {
      ...{ run_id: hold.runId, since: hold.since.toISOString(), rules: hold.rules },
      ...{ removed: hold.removed, changed: hold.changed, kept: hold.kept },
      samples: hold.samples.map(({ documentId, ...sample }) => ({ ...sample, document_id: documentId })),
    },
    lastmod_distrust: source.lastmodDistrust && {
      since: source.lastmodDistrust.since.toISOString(),
      sample: source.lastmodDistrust.sample,
    },
    documents: source.documents,
    coverage: { ...source.coverage },
    as_of: source.asOf?.toISOString() ?? null,
    indexing: presentIndexBacklog(source.indexing),
    last_run: source.lastRun && presentRun(source.lastRun),
    created_at: source.createdAt.toISOString(),
    updated_at: source.updatedAt.toISOString(),
  };
}

export function presentRun(run: RunRecord): z.output<typeof sourceRunSchema> {
  return {
    id: run.id,
    number: run.number,
    started_by: run.startedBy,
    full: run.isFull,
    cut_only: run.isCut,
    scope: run.isPartial ? 'changes' : 'all',
    state: run.state,
    phase: run.phase,
    counts: { ...run.counts },
    unlisted: run.unlisted,
    waiting: run.waiting,
    code: run.code,
    reason: run.reason,
    hold_outcome: run.holdOutcome,
    waits_until: run.waitsUntil?.toISOString() ?? null,
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}

export function presentItem(item: ItemRecord): z.output<typeof sourceItemSchema> {
  return {
    key: item.key,
    url: item.url,
    title: item.title,
    state: item.state,
    code: item.code,
    reason: item.reason,
    document_id: item.documentId,
    aliases: [...item.aliases],
    depth: item.depth,
    missing_runs: item.missingRuns,
    read_at: item.readAt?.toISOString() ?? null,
  };
}
