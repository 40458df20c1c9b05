import { useEffect, useMemo, useState } from 'react';
import { useMe } from '../../../api/queries/me.ts';
import { useTexts } from '../../../texts/texts.tsx';

/** Writes times in the language and the zone of the person. */
export function useTimes() {
  const { language, texts } = useTexts();
  const { person } = useMe();
  return useMemo(() => {
    const zone = person.time_zone === null ? {} : { timeZone: person.time_zone };
    const format = (options: Intl.DateTimeFormatOptions) => {
      const formatter = new Intl.DateTimeFormat(language, { ...options, ...zone });
      return (at: string | Date) => formatter.format(new Date(at));
    };
    const dayKey = format({ year: 'numeric', month: '2-digit', day: '2-digit' });
    const sameYear = format({ weekday: 'long', day: 'numeric', month: 'long' });
    const otherYear = format({ day: 'numeric', month: 'long', year: 'numeric' });
    const short = format({ day: 'numeric', month: 'short' });
    const shortYear = format({ month: 'short', year: 'numeric' });
    const year = format({ year: 'numeric' });
    return {
      /** “10:06”. */
      clock: format({ hour: '2-digit', minute: '2-digit' }),
      exact: format({ dateStyle: 'medium', timeStyle: 'medium' }),
      dayKey,
      /** “Today”, “Yesterday”, or the date. */
      day: (at: string) => {
        const now = new Date();
        if (dayKey(at) === dayKey(now)) return texts.conversation.today;
        if (dayKey(at) === dayKey(new Date(now.getTime() - 86_400_000))) return texts.conversation.yesterday;
        return year(at) === year(now) ? sameYear(at) : otherYear(at);
      },
      /** “20 Oct” or “Nov 2024”. */
      short: (at: string) => (year(at) === year(new Date()) ? short(at) : shortYear(at)),
    };
  }, [language, person.time_zone, texts]);
}

/** The current time, which updates by itself. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
