import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversationStatuses, slaStates } from '../../../core/contract/conversation-values.ts';
import { type Handover, slaCondition, slaState } from '../../../core/conversations/inbox/sla.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

const now = new Date('2026-03-01T10:00:00Z');
const ago = (minutes: number, ms = 0) => new Date(now.getTime() - minutes * 60_000 - ms);
const policy = { first_response_minutes: 10, resolution_minutes: 100 };
const escalated = (unanswered: Date | null, handover: Date | null): Handover => ({
  status: 'escalated',
  unansweredSince: unanswered,
  handoverSince: handover,
});

describe('slaState', () => {
  test.each([
    ['no time has passed', escalated(now, now), 'in_compliance'],
    ['a moment before 80 % of the first response', escalated(ago(8, -1), ago(8)), 'in_compliance'],
    ['80 % of the first response', escalated(ago(8), ago(8)), 'at_risk'],
    ['all of the first response', escalated(ago(10), ago(10)), 'at_risk'],
    ['more than the first response', escalated(ago(10, 1), ago(10)), 'breached'],
    ['answered in time, and 80 % of the resolution', escalated(null, ago(80)), 'at_risk'],
    ['answered in time, and more than the resolution', escalated(null, ago(100, 1)), 'breached'],
    ['the worse of two states counts', escalated(ago(8), ago(101)), 'breached'],
    ['a claimed conversation counts too', { ...escalated(ago(11), ago(11)), status: 'claimed' }, 'breached'],
    [
      'an open conversation does not count',
      { ...escalated(ago(11), ago(11)), status: 'open' },
      'in_compliance',
    ],
  ] as const)('%s', (_, handover, expected) => {
    expect(slaState(handover, policy, now)).toBe(expected);
  });

  test('is in compliance without a policy or without that target', () => {
    const late = escalated(ago(1_000), ago(1_000));
    expect(slaState(late, undefined, now)).toBe('in_compliance');
    expect(slaState(late, {}, now)).toBe('in_compliance');
    expect(slaState(escalated(ago(1_000), ago(11)), { resolution_minutes: 100 }, now)).toBe('in_compliance');
  });
});

describe.each(testEngines)('slaCondition on %s', async (engine) => {
  const { database, say, alter, workspace } = await openTestInbox(engine);
  const id = await say();

  test('finds a conversation in exactly the state that it is shown with', async () => {
    const minutes = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });
    // The values lie around the limits, to the millisecond.
    const wait = fc.option(
      fc
        .tuple(fc.integer({ min: 0, max: 100 }), fc.constantFrom(-1, 0, 1))
        .map(([fifths, ms]) => new Date(now.getTime() - fifths * 12_000 - ms)),
    );
    const property = fc.asyncProperty(
      fc.constantFrom(...conversationStatuses),
      wait,
      wait,
      fc.option(fc.record({ first_response_minutes: minutes, resolution_minutes: minutes }), {
        nil: undefined,
      }),
      async (status, unansweredSince, handoverSince, asked) => {
        await alter(id, { status, unanswered_since: unansweredSince, handover_since: handoverSince });
        const shown = slaState({ status, unansweredSince, handoverSince }, asked, now);
        const found = [];
        for (const state of slaStates) {
          const rows = await database.kysely
            .selectFrom('conversation')
            .select('id')
            .where('workspace_id', '=', workspace.id)
            .where(slaCondition(state, asked, now))
            .execute();
          if (rows.length > 0) found.push(state);
        }
        expect(found).toEqual([shown]);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});
