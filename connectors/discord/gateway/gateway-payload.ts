import { z } from 'zod';
import { parsedJson } from '../../shared/parsed-json.ts';

export const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

export const payloadSchema = z.object({
  op: z.int(),
  d: parsedJson.optional(),
  s: z.int().nullish(),
  t: z.string().nullish(),
});

export const helloSchema = z.object({ heartbeat_interval: z.number().min(50).max(3_600_000) });

export const readySchema = z.object({
  session_id: z.string(),
  resume_gateway_url: z.string(),
  guilds: z.array(z.object({ id: z.string() })).catch([]),
});

/** An event with its place in the session. */
export interface GatewayEvent {
  readonly t: string;
  readonly s: number;
  readonly d: z.infer<typeof payloadSchema>['d'];
}
