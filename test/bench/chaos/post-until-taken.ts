import { untilTaken } from './until-taken.ts';

interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Posts until the request is accepted. Returns the number of attempts. */
export async function postUntilTaken(posting: () => Posting): Promise<number> {
  const { tries } = await untilTaken(() => {
    const { url, headers, body } = posting();
    return fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(5_000),
    });
  });
  return tries;
}
