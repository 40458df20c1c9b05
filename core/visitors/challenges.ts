import { createHash, randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { toAddressGroup } from '../limits/public-rate.ts';
import type { Caller } from '../limits/visitor-rate.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** Signs challenges (HS256). */
  readonly key: Uint8Array;
  /** The number of leading zero bits that the hash must have; 15 if absent, which takes about 30,000 attempts. */
  readonly bits?: number;
}

const defaultDifficultyBits = 15;
const lifeSeconds = 120;
const claimsSchema = z.object({ jti: z.string(), bits: z.int().min(1) });
const answerPattern = /^(?<challenge>[\w.-]{1,1000}) (?<nonce>\d{1,16})$/;

/**
 * Proof of work for anonymous callers under load: the caller finds a number such that the SHA-256 of the challenge and
 * the number starts with a given number of zero bits. A visitor does not notice the delay, while a caller with many
 * requests pays for each of them. Rate limits apply as well.
 */
export class Challenges {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns a challenge for this caller, valid once and for 120 seconds: a JWT whose claim `bits` states the difficulty.
   */
  async pose(caller: Caller): Promise<string> {
    const { clock, key, bits = defaultDifficultyBits } = this.#dependencies;
    const seconds = Math.floor(clock.now().getTime() / 1_000);
    return new SignJWT({ bits })
      .setProtectedHeader({ alg: 'HS256' })
      .setJti(randomUUID())
      .setSubject(challengeSubject(caller))
      .setExpirationTime(seconds + lifeSeconds)
      .sign(key);
  }

  /** Returns whether the answer (the challenge, a space and the number) is correct, and marks the challenge as used. */
  async accept(caller: Caller, answer: string): Promise<boolean> {
    const { challenge = '', nonce } = answerPattern.exec(answer)?.groups ?? {};
    if (nonce === undefined) return false;
    const claims = await this.#verifyClaims(caller, challenge);
    if (claims === null || countLeadingZeroBits(`${challenge}.${nonce}`) < claims.bits) return false;
    return this.#spend(claims.jti);
  }

  async #verifyClaims(caller: Caller, challenge: string): Promise<z.output<typeof claimsSchema> | null> {
    const { clock, key } = this.#dependencies;
    try {
      const { payload } = await jwtVerify(challenge, key, {
        algorithms: ['HS256'],
        subject: challengeSubject(caller),
        currentDate: clock.now(),
        requiredClaims: ['exp'],
      });
      return claimsSchema.safeParse(payload).data ?? null;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      return null;
    }
  }

  /** Uses a rate-limit bucket of one token that refills only after the challenge has expired. */
  async #spend(id: string): Promise<boolean> {
    const { database, clock } = this.#dependencies;
    const { rows } = await sql<{ wait: number }>`
      select take_token(${`challenge ${id}`}, 1, ${lifeSeconds * 2}::float8, ${clock.now()}::timestamptz) as wait
    `.execute(database);
    return rows[0]?.wait === 0;
  }
}

function challengeSubject({ workspaceId, address, visitorId = '' }: Caller): string {
  return `${workspaceId} ${toAddressGroup(address)} ${visitorId}`;
}

function countLeadingZeroBits(text: string): number {
  const hash = createHash('sha256').update(text).digest();
  const first = hash.findIndex((byte) => byte !== 0);
  return first === -1 ? hash.length * 8 : first * 8 + Math.clz32(hash[first] ?? 0) - 24;
}
