const encoder = new TextEncoder();

/** The claims of a visitor's token, which the service verifies. */
export interface VerifiedUser {
  /** Your id of the visitor, at most 200 characters. */
  readonly sub: string;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  /** Audiences whose documents the visitor may read, beside those of the workspace for everybody. */
  readonly audience?: readonly string[] | undefined;
  /** Opens the audiences that the workspace names for this plan. */
  readonly plan?: string | undefined;
  /** Seconds, or such as `10m`. Default: ten minutes. */
  readonly expiresIn?: number | `${number}${'s' | 'm' | 'h'}` | undefined;
}

/** Returns `user.hash` of a query: the HMAC-SHA256 of the id in hexadecimal. */
export async function identityHash(secret: string, userId: string): Promise<string> {
  const signature = await sign(secret, userId);
  return [...signature].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns `verification_token` of a query: a JWT (HS256) with the claims. `now` is for tests. */
export async function verificationToken(
  secret: string,
  { expiresIn = '10m', ...claims }: VerifiedUser,
  now: Date = new Date(),
): Promise<string> {
  const expiry = Math.floor(now.getTime() / 1_000) + toSeconds(expiresIn);
  const part = (value: object) => toBase64Url(encoder.encode(JSON.stringify(value)));
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...claims, exp: expiry })}`;
  return `${text}.${toBase64Url(await sign(secret, text))}`;
}

function toSeconds(duration: NonNullable<VerifiedUser['expiresIn']>): number {
  if (typeof duration === 'number') return duration;
  const unit = { s: 1, m: 60, h: 3_600 }[duration.slice(-1)] ?? Number.NaN;
  return Math.round(Number(duration.slice(0, -1)) * unit);
}

async function sign(secret: string, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
