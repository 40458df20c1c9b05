import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { planAudiences, verifyIdentity } from '../../../core/workspaces/identity.ts';

const identitySecret = 'ids_the-secret-of-this-workspace';
const now = new Date('2026-03-01T12:00:00.000Z');
const settings = { audiences: ['pro', 'team'] };
const options = { identitySecrets: [identitySecret], settings, now };
const hash = createHmac('sha256', identitySecret).update('u-1').digest('hex');

const sign = (claims: object, expiresAt = new Date(now.getTime() + 60_000)) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('u-1')
    .setExpirationTime(expiresAt)
    .sign(new TextEncoder().encode(identitySecret));

describe('without a proof', () => {
  test('no visitor is verified', async () => {
    expect(await verifyIdentity({ user: null, token: null }, options)).toBeNull();
    expect(await verifyIdentity({ user: { userId: 'u-1', name: 'Ada' }, token: null }, options)).toBeNull();
  });
});

describe('a hash', () => {
  test('verifies the user it was made for', async () => {
    expect(await verifyIdentity({ user: { userId: 'u-1', hash }, token: null }, options)).toMatchObject({
      userId: 'u-1',
      audience: [],
    });
  });

  test('does not verify the name and email sent with it', async () => {
    const user = { userId: 'u-1', hash, name: 'Ada', email: 'ada@example.org' };
    const visitor = await verifyIdentity({ user, token: null }, options);
    expect(visitor?.customer).toEqual({
      name: 'Ada',
      email: 'ada@example.org',
      emailVerified: false,
      phone: null,
    });
  });
});

describe('a token', () => {
  test('passes its claims to the visitor', async () => {
    const token = await sign({
      audience: ['trade', 'staff'],
      name: 'Ada',
      email: 'ada@example.org',
      plan: 'gold',
    });
    expect(await verifyIdentity({ user: null, token }, options)).toEqual({
      userId: 'u-1',
      audience: ['trade', 'staff'],
      customer: { name: 'Ada', email: 'ada@example.org', emailVerified: true, phone: null },
    });
  });

  test('may contain one audience as a string', async () => {
    const visitor = await verifyIdentity({ user: null, token: await sign({ audience: 'trade' }) }, options);
    expect(visitor?.audience).toEqual(['trade']);
  });

  test('takes precedence over the request, which fills the gaps', async () => {
    const user = { userId: 'u-1', name: 'Somebody', email: 'ada@example.org' };
    const visitor = await verifyIdentity({ user, token: await sign({ name: 'Ada' }) }, options);
    expect(visitor?.customer).toMatchObject({ name: 'Ada', email: 'ada@example.org', emailVerified: false });
  });

  test('expires by the injected clock', async () => {
    const token = await sign({}, now);
    await expect(verifyIdentity({ user: null, token }, options)).rejects.toMatchObject({
      code: 'verification_required',
    });
    const earlier = { ...options, now: new Date(now.getTime() - 1_000) };
    expect(await verifyIdentity({ user: null, token }, earlier)).toMatchObject({ userId: 'u-1' });
  });
});

describe('during a rotation', () => {
  const other = 'ids_the-new-secret-of-this-workspace';
  const rotated = { ...options, identitySecrets: [other, identitySecret] };

  test('a hash and a token are valid with either secret', async () => {
    const newHash = createHmac('sha256', other).update('u-1').digest('hex');
    for (const proof of [hash, newHash]) {
      const user = { userId: 'u-1', hash: proof };
      expect(await verifyIdentity({ user, token: null }, rotated)).toMatchObject({ userId: 'u-1' });
    }
    const token = await sign({ name: 'Ada' });
    expect(await verifyIdentity({ user: null, token }, rotated)).toMatchObject({ userId: 'u-1' });
  });

  test('a proof made with neither secret is invalid', async () => {
    const strangers = { ...options, identitySecrets: ['ids_one', 'ids_two'] };
    for (const claims of [
      { user: { userId: 'u-1', hash }, token: null },
      { user: null, token: await sign({}) },
    ]) {
      await expect(verifyIdentity(claims, strangers)).rejects.toMatchObject({
        code: 'verification_required',
      });
    }
  });
});

describe('the plan of a token', () => {
  test('opens the audience of its name, beside those that the token names', async () => {
    const token = await sign({ plan: 'pro', audience: ['staff'] });
    expect((await verifyIdentity({ user: null, token }, options))?.audience).toEqual(['staff', 'pro']);
    const unknown = await sign({ plan: 'gold' });
    expect((await verifyIdentity({ user: null, token: unknown }, options))?.audience).toEqual([]);
  });

  test('opens what the setting says instead, and only audiences of the workspace', () => {
    const byPlan = { ...settings, plan_audiences: { gold: ['pro', 'team', 'gone'] } };
    expect(planAudiences('gold', byPlan)).toEqual(['pro', 'team']);
    expect(planAudiences('pro', byPlan)).toEqual([]);
    expect(planAudiences('constructor', byPlan)).toEqual([]);
    expect(planAudiences(undefined, byPlan)).toEqual([]);
  });
});
