interface Answered {
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The five headers of a response that tell a key its limits, as numbers; NaN where one is missing. */
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
