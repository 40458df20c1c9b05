import type { CompanionKind } from '../conversations/turn.ts';
import { leaseSeconds } from './lane-lease.ts';
import { sentColumns, settling } from './settle-part.ts';

/** Beside a turn of a channel: what is to be sent of it, and that its events are dealt with. */
export const channelTurn: CompanionKind = {
  name: 'channel turn',
  // Far more would keep platforms waiting that have something to tell; fewer, those who wait for an answer.
  most: 8,
  columns: {
    channel_id: 'text',
    lane: 'text',
    lane_token: 'text',
    sending_token: 'text',
    address: 'jsonb',
    parts: 'jsonb',
    events: 'bigint[]',
    said_at: 'timestamptz',
  },
  expression: `commit_channel_turn(
    asked.channel_id, asked.lane, asked.lane_token, asked.sending_token, make_interval(secs => ${leaseSeconds}),
    asked.asked_workspace, kept, asked.answer_id, asked.address, asked.parts, asked.events, asked.asked_at, asked.said_at
  )`,
  rides: { columns: sentColumns, expression: settling },
};
