import type { ErrorCode } from '../../../core/errors.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { eventsOf } from './events-of.ts';
import { visitorFrameSchema } from './frame-schema.ts';

/** What comes of what a visitor says. */
export function sayingResponses(...others: readonly ErrorCode[]) {
  return {
    200: eventsOf(visitorFrameSchema, 'Server-sent events: status frames, token frames, and one last frame.'),
    ...errorResponses(
      'channel_not_found',
      'origin_not_allowed',
      'rate_limit_minute',
      'challenge_required',
      'rate_limit_concurrent',
      'quota_exhausted',
      'verification_required',
      'request_timeout',
      ...others,
    ),
  };
}
