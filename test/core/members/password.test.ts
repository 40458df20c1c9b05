import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { assertStrongPassword } from '../../../core/members/password.ts';

/** Why a password is refused. Null: it is accepted. */
function weaknessOf(password: string, email = 'ann@acme.example'): string | null {
  try {
    assertStrongPassword(password, email);
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'weak_password') throw error;
    return error.message;
  }
}

describe('a new password', () => {
  test.each([
    ['P@ssw0rd1234', 'common'],
    ['Summer2026!!', 'common'],
    ['Passwort-2026', 'common'],
    ['parleyparley', 'common'],
    ['Parley2026!!', 'common'],
    ['iloveyou1234', 'common'],
    ['summer-2026-Summer', 'common'],
    ['correcthorsebatterystaple', 'common'],
    ['qwertyuiopas', 'row'],
    ['1q2w3e4r5t6y', 'row'],
    ['321poiuytrewq', 'row'],
    ['123456789012', 'row'],
    ['Xk9$mQXk9$mQ', 'repeats'],
    ['aaaaaaaaaaaaaa', 'repeats'],
    ['ann-reid-2026-x', 'name', 'ann-reid@acme.example'],
    ['short', '12 to 128'],
  ])('%s is refused, with the reason', (password, reason, email?: string) => {
    expect(weaknessOf(password, email)).toContain(reason);
  });

  test('of several words that do not belong together is accepted', () => {
    for (const password of ['lavender-teapot-42', 'rosemary kettle under snow', 'Tr0ub4dor&3xyz']) {
      expect([password, weaknessOf(password)]).toEqual([password, null]);
    }
  });

  test('of random characters is refused by chance in less than one of 200 cases', () => {
    const passwords = Array.from({ length: 2_000 }, () => randomBytes(12).toString('base64'));
    expect(passwords.filter((password) => weaknessOf(password) !== null).length).toBeLessThan(10);
  });
});
