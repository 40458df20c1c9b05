import type { FastifyReply } from 'fastify';
import type { UpstreamAnswer } from './upstream-answer-schema.ts';
import { upstreamFrames } from './upstream-frames.ts';

/** As events, or as one JSON object. */
export function sendUpstream(reply: FastifyReply, answer: UpstreamAnswer, streaming: boolean): FastifyReply {
  if (!streaming) return reply.type('application/json; charset=utf-8').send(answer);
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(upstreamFrames(answer));
}
