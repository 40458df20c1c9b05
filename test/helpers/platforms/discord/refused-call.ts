/** A call that Discord refuses. */
export class RefusedDiscordCall extends Error {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export function refused(status: number, code: number, message: string): RefusedDiscordCall {
  return new RefusedDiscordCall(status, { message, code });
}
