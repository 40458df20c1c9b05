interface Answered {
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Reads the five headers of a response that state the limits of a key, as numbers; NaN if one is missing. */
export function rateLimitHeadersOf({ headers }: Answered) {
  const read = (name: string) => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN);
  return {
    minute: read('limit-minute'),
    minuteRemaining: read('remaining-minute'),
    day: read('limit-day'),
    dayRemaining: read('remaining-day'),
    dayResets: read('reset-day'),
  };
}
