import { z } from 'zod';
import { failureActionKinds, failureActionStates } from '../../../core/channels/failures/failure-actions.ts';
import { needKinds, needStates } from '../../../core/health/needs.ts';
import { partStates } from '../../../core/health/part.ts';

const time = z.iso.datetime();
const count = z.int().nonnegative();

const partSchema = z
  .object({
    part: z.string().meta({ examples: ['database', 'answer'] }),
    worker: z.boolean().meta({ description: 'Whether it is the duty of a kind of worker.' }),
    promise: z.string(),
    state: z.enum(partStates),
    seen: z.string().meta({ description: 'What was seen, for people.' }),
    advice: z.string().nullable().meta({ description: 'What to do; null if nothing.' }),
    since: time.meta({ description: 'When the server that answers saw the state begin.' }),
  })
  .meta({ id: 'InstallationPart' });

const processSchema = z.object({
  id: z.string(),
  host: z.string().nullable(),
  roles: z.array(z.string()).meta({ description: 'server or workers, and each kind of worker.' }),
  version: z.string().nullable(),
  started_at: time,
  seen_seconds_ago: z.number().nonnegative(),
  clock_ahead_ms: z.number().nullable().meta({ description: "Compared with the database's clock." }),
  disk_free_bytes: z.number().nullable(),
});

/** The state of the whole installation. */
export const installationSchema = z
  .object({
    version: z.string(),
    parts: z.array(partSchema),
    processes: z.array(processSchema),
    needs: z
      .array(z.object({ need: z.enum(needKinds), state: z.enum(needStates), value: z.string().nullable() }))
      .meta({ description: 'What an installation should have: there, weak, or lacking.' }),
    models: z.array(
      z.object({
        model: z.string(),
        use: z.string(),
        paused: z.string().nullable().meta({ description: 'The kind of failure; null if it is not paused.' }),
      }),
    ),
    secrets: z.array(
      z.object({
        secret: z.enum(['admin_token', 'encryption_key']),
        id: z.string().nullable(),
        since: time
          .nullable()
          .meta({ description: 'Null if it is set by a variable: its age is not known.' }),
      }),
    ),
    storage: z.object({
      engine: z.enum(['embedded', 'postgres']),
      bytes: z.number(),
      queue: z.enum(['database', 'redis']),
    }),
    owners: count,
    workspaces: count,
  })
  .meta({ id: 'Installation' });

export const installationWorkspaceSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    owner: z.string(),
    plan: z.string(),
    created_at: time,
    documents: count,
    channels: count,
    members: count,
    owner_messages: count.meta({
      description: 'Messages of its owner in this month, over all their workspaces.',
    }),
    owner_limit: z
      .int()
      .nullable()
      .meta({ description: 'Messages a month in the plan; null for any number.' }),
    last_message_at: time.nullable(),
  })
  .meta({ id: 'InstallationWorkspace' });

export const failureGroupSchema = z
  .object({
    reason: z.string().nullable(),
    count,
    retriable: count.meta({
      description: 'Those that a retry takes: a platform refused the others for good.',
    }),
    channels: count,
    workspaces: count,
    oldest_at: time,
    newest_at: time,
  })
  .meta({ id: 'FailureGroup' });

export const failureActionSchema = z
  .object({
    id: z.string(),
    kind: z.enum(failureActionKinds),
    queue: z.enum(['answer', 'deliver']),
    filter: z.object({
      channel_id: z.string().optional(),
      reason: z.string().optional(),
      from: z.string().optional(),
      until: z.string().optional(),
    }),
    state: z.enum(failureActionStates),
    total: count.meta({ description: 'Fixed when it was started: later failures are not touched.' }),
    done: count,
    started_by: z.string(),
    created_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: 'FailureAction' });

const eventSchema = z.object({
  event_id: z.string(),
  received_at: time,
  due_at: time,
  handled_at: time.nullable(),
  attempts: count,
  failure: z.string().nullable(),
});

const messagePartSchema = z.object({
  part: z.int(),
  status: z.string(),
  queued_at: time,
  next_attempt_at: time,
  sent_at: time.nullable(),
  status_at: time.nullable(),
  attempts: count,
  platform_message_id: z.string().nullable(),
  failure: z.string().nullable(),
});

export const messageLifeSchema = z
  .object({
    workspace_id: z.string(),
    channel_id: z.string().nullable(),
    channel: z.string().nullable(),
    conversation_id: z.string().nullable(),
    events: z.array(eventSchema),
    message: z
      .object({
        id: z.string(),
        role: z.string(),
        created_at: time,
        latency_ms: z.number().nullable(),
        confidence: z.string().nullable(),
      })
      .nullable(),
    parts: z.array(messagePartSchema),
  })
  .meta({ id: 'MessageLife' });
