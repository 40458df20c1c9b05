import { setTimeout as wait } from 'node:timers/promises';

export interface Taken {
  readonly tries: number;
  readonly response: Response;
  /** All of what was answered. */
  readonly text: string;
}

const pauseMs = 100;

/** Repeats a request until its answer is complete and no error. */
export async function untilTaken(ask: () => Promise<Response>): Promise<Taken> {
  for (let tries = 1; ; tries += 1) {
    const response = await ask().catch(() => null);
    const text = await response?.text().catch(() => null);
    if (response && response.status < 400 && text != null) return { tries, response, text };
    await wait(pauseMs);
  }
}
