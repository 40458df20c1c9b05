const pauseMs = 100;

interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Posts again and again until it is taken; how many times that took. */
export async function postUntilTaken(posting: () => Posting): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const { url, headers, body } = posting();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(5_000),
    }).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
    if (response?.ok) return tries;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
