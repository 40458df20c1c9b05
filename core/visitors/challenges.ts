import { createHash, randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { toAddressGroup } from '../limits/public-rate.ts';
import type { Caller } from '../limits/visitor-rate.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** What challenges are signed with. */
  readonly key: Uint8Array;
  /** How many bits of the hash have to be zero; 15 when absent: some thirty thousand tries. */
  readonly bits?: number;
}

const defaultDifficultyBits = 15;
const lifeSeconds = 120;
const claimsSchema = z.object({ jti: z.string(), bits: z.int().min(1) });
const answerPattern = /^(?<challenge>[\w.-]{1,1000}) (?<nonce>\d{1,16})$/;

/**
 * Work that a caller shows when there is more to do than usual: a number that makes the SHA-256 of a text of ours begin
 * with so many zero bits. A visitor does not notice it; who asks very often pays for each call, and the limits hold for him
 * all the same.
 */
export class Challenges {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** For this caller alone, once, and soon: a JWT, whose claim `bits` says how much work it is. */
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

  /** Whether an answer, the challenge and the number with a space between, is right. It is spent then. */
  async accept(caller: Caller, answer: string): Promise<boolean> {
    const { challenge = '', nonce } = answerPattern.exec(answer)?.groups ?? {};
    if (nonce === undefined) return false;
    const claims = await this.#claimsOf(caller, challenge);
    if (claims === null || countLeadingZeroBits(`${challenge}.${nonce}`) < claims.bits) return false;
    return this.#spend(claims.jti);
  }

  async #claimsOf(caller: Caller, challenge: string): Promise<z.output<typeof claimsSchema> | null> {
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

  /** A bucket that holds one, and has not been filled again before the challenge is over. */
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
