export interface SnoozeTime {
  readonly id: 'oneHour' | 'laterToday' | 'tomorrow' | 'weekend' | 'monday' | 'nextWeek';
  readonly at: Date;
}

const hourMs = 3_600_000;
const morning = 9;

/** The times that are offered for a conversation to come back, soonest first, mornings at nine. Pure. */
export function snoozeTimes(now: Date): readonly SnoozeTime[] {
  const onDay = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morning);
  const daysTo = (weekday: number) => (weekday - now.getDay() + 7) % 7 || 7;
  const times: readonly SnoozeTime[] = [
    { id: 'oneHour', at: new Date(now.getTime() + hourMs) },
    { id: 'laterToday', at: new Date(now.getTime() + 3 * hourMs) },
    { id: 'tomorrow', at: onDay(1) },
    { id: 'weekend', at: onDay(daysTo(6)) },
    { id: 'monday', at: onDay(daysTo(1)) },
    { id: 'nextWeek', at: onDay(7) },
  ];
  // The day after Friday is Saturday, and the day after Sunday is Monday: one of the two names is enough.
  return times
    .filter(
      ({ at }, position) => times.findIndex((other) => other.at.getTime() === at.getTime()) === position,
    )
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
