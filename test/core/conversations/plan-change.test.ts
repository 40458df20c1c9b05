import { describe, expect, test } from 'vitest';
import { planChange } from '../../../core/conversations/plan-change.ts';

const now = new Date('2026-03-01T10:00:00Z');
const asked = new Date('2026-03-01T09:50:00Z');
const later = new Date('2026-03-02T09:00:00Z');
const circumstances = { now, lastVisitorMessageAt: asked };

const row = {
  id: 'conv_1',
  workspace_id: 'ws_1',
  channel: 'api',
  status: 'open',
  session_id: null,
  channel_id: null,
  started_at: asked,
  last_message_at: asked,
  resolved_at: null,
  message_count: 2,
  memory_from: 0,
  customer_email: null,
  customer_email_verified: false,
  customer_name: 'Jane',
  customer_phone: null,
  customer_user_id: null,
  tags: ['vip'],
  priority: 'normal',
  snooze_until: null,
  unanswered_since: null,
  handover_since: null,
  disclosed_at: null,
  stated_user_id: null,
  metadata: null,
  sla_told: null,
  assignee_id: null,
  assigned_at: null,
  assigned_by: null,
  visitor_position: 0,
};
const withPerson = { ...row, status: 'escalated', handover_since: asked, unanswered_since: asked };

describe('planChange', () => {
  test('sets the time of a resolution, ends the handover and records it', () => {
    expect(planChange(withPerson, { status: 'resolved' }, circumstances)).toEqual({
      columns: {
        status: 'resolved',
        resolved_at: now,
        snooze_until: null,
        handover_since: null,
        unanswered_since: null,
        disclosed_at: null,
      },
      changes: [{ action: 'status_changed', details: { from: 'escalated', to: 'resolved' } }],
    });
  });

  test.each(['open', 'archived', 'escalated', 'claimed'] as const)(
    'clears the resolution for the status %s',
    (status) => {
      const { columns } = planChange(
        { ...row, status: 'resolved', resolved_at: asked },
        { status },
        circumstances,
      );
      expect(columns).toMatchObject({ status, resolved_at: null });
    },
  );

  test('starts a new memory if a conversation is archived after its resolution, and only then', () => {
    const archived = (status: string) =>
      planChange({ ...row, status, message_count: 6 }, { status: 'archived' }, circumstances).columns;
    expect(archived('resolved')).toMatchObject({ memory_from: 6 });
    expect(archived('open')).not.toHaveProperty('memory_from');
    const opened = planChange({ ...row, status: 'resolved' }, { status: 'open' }, circumstances);
    expect(opened.columns).not.toHaveProperty('memory_from');
  });

  test.each(['escalated', 'claimed'] as const)(
    'starts the wait at the visitor’s last message for the status %s',
    (status) => {
      const { columns } = planChange(row, { status }, circumstances);
      expect(columns).toMatchObject({ handover_since: asked, unanswered_since: asked });
    },
  );

  test('keeps the start and the answered state of a continuing handover', () => {
    const answered = { ...withPerson, unanswered_since: null };
    const { columns } = planChange(answered, { status: 'claimed' }, { now, lastVisitorMessageAt: later });
    expect({ ...answered, ...columns }).toMatchObject({ handover_since: asked, unanswered_since: null });
  });

  test.each(['open', 'archived', 'snoozed'] as const)('ends the wait for the status %s', (status) => {
    const change = status === 'snoozed' ? { status, snoozeUntil: later } : { status };
    const { columns } = planChange(withPerson, change, circumstances);
    expect(columns).toMatchObject({ handover_since: null, unanswered_since: null });
  });

  test('lets the machine say again that it answers once a person returns the conversation, and only then', () => {
    const claimed = { ...withPerson, status: 'claimed', disclosed_at: asked };
    const machine = { ...row, disclosed_at: asked };
    expect(planChange(claimed, { status: 'open' }, circumstances).columns).toMatchObject({
      disclosed_at: null,
    });
    expect(planChange(machine, { status: 'resolved' }, circumstances).columns).not.toHaveProperty(
      'disclosed_at',
    );
    expect(planChange(machine, { status: 'claimed' }, circumstances).columns).not.toHaveProperty(
      'disclosed_at',
    );
  });

  test('neither writes nor records values that already match', () => {
    const resolved = { ...row, status: 'resolved', resolved_at: asked };
    const change = {
      status: 'resolved',
      tags: ['vip'],
      priority: 'normal',
      customer: { name: 'Jane', email: null },
    } as const;
    expect(planChange(resolved, change, circumstances)).toEqual({ columns: {}, changes: [] });
  });

  test('records each changed field with its old and new value', () => {
    const change = {
      tags: ['new', 'new', 'vip'],
      priority: 'urgent',
      customer: { email: 'j@x.com', name: null },
    } as const;
    expect(planChange(row, change, circumstances)).toEqual({
      columns: {
        tags: ['new', 'vip'],
        priority: 'urgent',
        customer_email: 'j@x.com',
        customer_email_verified: false,
        customer_name: null,
        customer_phone: null,
      },
      changes: [
        { action: 'tags_changed', details: { from: ['vip'], to: ['new', 'vip'] } },
        { action: 'priority_changed', details: { from: 'normal', to: 'urgent' } },
        { action: 'customer_changed', details: { fields: ['email', 'name'] } },
      ],
    });
  });

  test('sets the end of a snooze, and moves it', () => {
    const { columns } = planChange(row, { status: 'snoozed', snoozeUntil: later }, circumstances);
    expect(columns).toMatchObject({ status: 'snoozed', snooze_until: later });
    const snoozed = { ...row, status: 'snoozed', snooze_until: asked };
    expect(planChange(snoozed, { snoozeUntil: later }, circumstances)).toEqual({
      columns: { snooze_until: later },
      changes: [
        { action: 'snooze_changed', details: { from: asked.toISOString(), to: later.toISOString() } },
      ],
    });
    expect(planChange(snoozed, { status: 'open' }, circumstances).columns).toMatchObject({
      snooze_until: null,
    });
  });

  test.each([
    ['in the past', { status: 'snoozed', snoozeUntil: now }],
    ['for a conversation that is not snoozed', { snoozeUntil: later }],
    ['together with another status', { status: 'open', snoozeUntil: later }],
  ] as const)('rejects a snooze end %s', (_, change) => {
    expect(() => planChange(row, change, circumstances)).toThrow(
      expect.objectContaining({ code: 'invalid_snooze_until' }),
    );
  });

  test('sets and removes fields of the metadata, and names them without their values', () => {
    const known = { ...row, metadata: { order: 'A-1', step: 1 } };
    const change = { metadata: { step: null, ticket: { id: 4 } } };
    const { columns, changes } = planChange(known, change, circumstances);
    expect(columns).toEqual({ metadata: { order: 'A-1', ticket: { id: 4 } } });
    expect(changes).toEqual([{ action: 'metadata_changed', details: { fields: ['step', 'ticket'] } }]);
    expect(planChange(known, { metadata: { order: 'A-1', gone: null } }, circumstances)).toEqual({
      ...{ columns: {}, changes: [] },
    });
    expect(planChange(known, { metadata: { order: null, step: null } }, circumstances).columns).toEqual({
      metadata: null,
    });
  });
});
