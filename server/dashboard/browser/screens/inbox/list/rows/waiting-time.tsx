import type { InboxRow } from '../../../../api/queries/inbox.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { Ring } from '../../ring.tsx';

interface WaitingTimeProps {
  readonly row: InboxRow;
  readonly now: number;
}

/** How long the visitor waits, with a ring that fills up to the target; amber from three quarters, red past it. */
export function WaitingTime({ row, now }: WaitingTimeProps) {
  const { texts, language } = useTexts();
  const words = texts.inbox;
  const { waiting_since: since, sla_due_at: dueAt, snooze_until: until, status } = row;
  const exact = (at: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
  if (status === 'snoozed' && until !== null) {
    return (
      <span className="p-row-time" title={exact(until)}>
        {words.snoozedUntil(describeDay(until, now, language))}
      </span>
    );
  }
  if (since === null) {
    return (
      <time className="p-row-time" dateTime={row.last_message_at} title={exact(row.last_message_at)}>
        {describeSpan(now - Date.parse(row.last_message_at), words)}
      </time>
    );
  }
  const waited = now - Date.parse(since);
  const share = dueAt === null ? null : Math.max(0, waited / (Date.parse(dueAt) - Date.parse(since)));
  const tone = share === null || share < 0.75 ? undefined : share < 1 ? 'amber' : 'red';
  const over = dueAt !== null && share !== null && share >= 1 ? now - Date.parse(dueAt) : null;
  return (
    <span className="p-row-time" data-tone={tone} title={exact(since)}>
      {share !== null && <Ring share={Math.min(1, share)} />}
      {over === null ? describeSpan(waited, words) : words.overdue(describeSpan(over, words))}
    </span>
  );
}

interface SpanWords {
  readonly now: string;
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly days: (count: number) => string;
}

export function describeSpan(ms: number, words: SpanWords): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return words.now;
  if (minutes < 60) return words.minutes(minutes);
  if (minutes < 24 * 60) return words.hours(Math.floor(minutes / 60));
  return words.days(Math.floor(minutes / (24 * 60)));
}

/** The time of a recent day, or the day of a distant one. */
export function describeDay(at: string, now: number, language: string): string {
  const time = new Date(at);
  const isSoon = time.getTime() - now < 6 * 24 * 3_600_000;
  const isToday = time.toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(language, {
    ...(isToday
      ? { hour: 'numeric', minute: '2-digit' }
      : isSoon
        ? { weekday: 'short', hour: 'numeric', minute: '2-digit' }
        : { day: 'numeric', month: 'short' }),
  }).format(time);
}
