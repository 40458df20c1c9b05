import { z } from 'zod';
import { ruleActions, type SourceRule } from '../../../core/sources/ledger/block-rules.ts';
import { answeredStates, type Ledger } from '../../../core/sources/ledger/view-ledger.ts';
import { itemStates } from '../../../core/sources/source-record.ts';
import { cutReasons } from '../../../core/sources/website/tree/cut-notes.ts';
import { blockKinds } from '../../../core/sources/website/tree/page-ledger.ts';
import { boundedString } from '../../schemas/fields.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { sourceParamsSchema } from './schema.ts';

const keySchema = boundedString({ min: 1, max: 1_000 }).meta({ description: 'The key of the item.' });

export const ledgerQuerySchema = z.object({ key: keySchema });

export const ruleParamsSchema = sourceParamsSchema.extend({
  rule_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('source_rule_not_found')),
});

/** A rule for a block of a page. */
export const newRuleSchema = z
  .object({
    key: keySchema,
    block: boundedString({ min: 1, max: 50 }).meta({ description: 'The hash of the block.' }),
    action: z.enum(ruleActions),
    pages: z.enum(['this', 'all']).default('this').meta({
      description: 'Whether the rule is for this page, or for the block on all pages of the source.',
    }),
  })
  .meta({ examples: [{ key: 'https://acme.example/hours', block: 'bCk3oV1wq9aXy', action: 'keep' }] });

export const sourceRuleSchema = z
  .object({
    id: z.string(),
    key: z.string().nullable().meta({ description: 'The item. Null: all pages of the source.' }),
    block: z.string(),
    action: z.enum(ruleActions),
    sample: z.string().meta({ description: 'The beginning of the text of the block.' }),
    created_by: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'SourceRule' });

const blockSchema = z
  .object({
    hash: z.string(),
    kind: z.enum(blockKinds),
    level: z.int().meta({ description: 'Of a heading, 1 to 6; otherwise 0.' }),
    text: z.string(),
    rows: z.array(z.array(z.string())).meta({ description: 'The cells of a table; otherwise empty.' }),
    kept: z.boolean(),
    reason: z.enum(cutReasons).nullable().meta({
      description:
        'Why it is cut. template: it recurs on the pages of the site. outside: the page marks its content elsewhere. site_part: its name says that it belongs to the site. rule: a rule of the source. control: buttons and permalinks.',
    }),
    pages: z
      .object({ having: z.int(), looked: z.int() })
      .nullable()
      .meta({ description: 'Of a block that recurs: the pages that have it, of those that were looked at.' }),
  })
  .meta({ id: 'LedgerBlock' });

export const ledgerSchema = z
  .object({
    key: z.string(),
    url: z.string().nullable(),
    title: z.string().nullable(),
    state: z.enum(itemStates),
    reason: z.string().nullable(),
    document_id: z.string().nullable(),
    passages: z.int().meta({ description: 'The passages of its document that are in the index.' }),
    answered: z.enum(answeredStates).meta({
      description: 'Whether answers rest on its newest reading, on an earlier one, or not on it yet.',
    }),
    fetched_at: z.iso.datetime().nullable(),
    checked_at: z.iso.datetime().nullable().meta({
      description: 'When it was last asked for, also if it had not changed.',
    }),
    cut_at: z.iso.datetime().nullable(),
    indexed_at: z.iso.datetime().nullable().meta({ description: 'Since then it is answered from.' }),
    blocks: z.array(blockSchema).nullable().meta({
      description:
        'All blocks of the page in order, at most 1,000. Null for what is not stored as a page: files, articles of tools, pages that are read as Markdown, and larger ones than 1 MB compressed.',
    }),
    cut_now: z.boolean().meta({
      description: 'False if its document is about to be cut anew: the blocks say what it will hold.',
    }),
    rules: z.array(sourceRuleSchema).meta({ description: 'The rules that are for this page.' }),
    answers: z
      .object({
        count: z.int().meta({ description: 'Answers of the last 30 days that rest on it.' }),
        latest: z.array(
          z.object({
            message_id: z.string(),
            conversation_id: z.string(),
            question: z.string(),
            at: z.iso.datetime(),
            confidence: z.string(),
            feedback: z.string().nullable(),
            passages: z.array(z.string()).meta({ description: 'The passages that it rests on.' }),
          }),
        ),
      })
      .nullable()
      .meta({
        description: 'The latest 20. Null without the permission `inbox:read`, and without a document.',
      }),
  })
  .meta({ id: 'SourceLedger' });

export function presentRule(rule: SourceRule): z.output<typeof sourceRuleSchema> {
  return {
    ...{ id: rule.id, key: rule.key, block: rule.block, action: rule.action, sample: rule.sample },
    ...{ created_by: rule.createdBy, created_at: rule.createdAt.toISOString() },
  };
}

export function presentLedger({ answers, ...ledger }: Ledger): z.output<typeof ledgerSchema> {
  return {
    ...{ key: ledger.key, url: ledger.url, title: ledger.title, reason: ledger.reason },
    state: z.enum(itemStates).parse(ledger.state),
    ...{ document_id: ledger.documentId, passages: ledger.passages, answered: ledger.answered },
    fetched_at: ledger.fetchedAt?.toISOString() ?? null,
    checked_at: ledger.checkedAt?.toISOString() ?? null,
    cut_at: ledger.cutAt?.toISOString() ?? null,
    indexed_at: ledger.indexedAt?.toISOString() ?? null,
    blocks:
      ledger.blocks?.map(({ rows, reason, ...block }) => ({
        ...block,
        rows: rows.map((cells) => [...cells]),
        ...{ reason, kept: reason === null },
      })) ?? null,
    cut_now: ledger.isCutNow,
    rules: ledger.rules.map(presentRule),
    answers: answers && {
      count: answers.count,
      latest: answers.latest.map(({ messageId, conversationId, question, at, ...answer }) => ({
        ...{ message_id: messageId, conversation_id: conversationId, question, at: at.toISOString() },
        ...{ confidence: answer.confidence, feedback: answer.feedback, passages: [...answer.passages] },
      })),
    },
  };
}
