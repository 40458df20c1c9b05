import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../../core/base/clock.ts';
import { AppError } from '../../../core/base/errors.ts';
import { type InsightScope, insightFiltersSchema } from '../../../core/insights/scope.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import { requestWorkspace } from '../operator-route.ts';

const dayMs = 24 * 3_600_000;
const USUAL_DAYS = 28;
const MAX_DAYS = 366;

/** The query parameters of all panels. */
export const scopeQuerySchema = insightFiltersSchema.extend({
  from: z.iso.date().optional().meta({ description: 'The first day. Without it: 27 days before `to`.' }),
  to: z.iso.date().optional().meta({ description: 'The last day. Without it: today.' }),
});

/** The range that a panel counted. */
export const rangeSchema = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    time_zone: z.string().meta({ description: 'That of the support hours, otherwise UTC.' }),
  })
  .meta({ id: 'InsightRange' });

/** Returns what the request counts. Throws `invalid_range`. */
export function readScope(
  request: FastifyRequest,
  { from, to, ...filters }: z.output<typeof scopeQuerySchema>,
  clock: Clock,
): InsightScope {
  const workspace = requestWorkspace.get(request);
  const zone = timeZoneOf(workspace);
  const now = clock.now();
  const last = to ?? toDay(now, zone);
  const first = from ?? addDays(last, 1 - USUAL_DAYS);
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (days < 1 || days > MAX_DAYS) throw new AppError('invalid_range');
  return { workspaceId: workspace.id, zone, from: first, to: last, filters, now };
}

export function timeZoneOf({ settings }: Pick<Workspace, 'settings'>): string {
  return settings.support_hours?.time_zone ?? 'UTC';
}

export function presentRange({ from, to, zone }: InsightScope): z.output<typeof rangeSchema> {
  return { from, to, time_zone: zone };
}

/** Returns the day of a time in a time zone, as YYYY-MM-DD. */
function toDay(at: Date, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}
