import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { meQuery } from '../api/queries/me.ts';
import { useTexts } from '../texts/texts.tsx';

interface TimeAgoProps {
  /** ISO 8601; null if it never happened. */
  readonly at: string | null;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A time as said (“12 min. ago”), with the exact one in the person's zone on hover. */
export function TimeAgo({ at }: TimeAgoProps) {
  const { locale, texts } = useTexts();
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const now = useMinute();
  if (at === null)
    return (
      <Text span inherit>
        {texts.parts.time.never}
      </Text>
    );
  const time = new Date(at);
  const zone = me?.person.time_zone ?? undefined;
  const exact = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(zone !== undefined && { timeZone: zone }),
  }).format(time);
  return (
    <time dateTime={at} title={exact}>
      {describe(time.getTime() - now, locale, texts.parts.time.now)}
    </time>
  );
}

function describe(ms: number, locale: string, justNow: string): string {
  const found = units.find(([, size]) => Math.abs(ms) >= size);
  if (found === undefined) return justNow;
  const [unit, size] = found;
  const format = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'auto' });
  return format.format(Math.trunc(ms / size), unit);
}

/** The time now, which moves on each half minute. */
export function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
