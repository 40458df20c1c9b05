import { AppError } from '../errors.ts';

const MIN_LENGTH = 12;
const MAX_LENGTH = 128;
const MIN_DISTINCT = 5;

/** Long passwords that lists of leaked passwords put first. */
const COMMON = new Set([
  '123456789012',
  '1234567890123',
  '1q2w3e4r5t6y',
  'qwertyuiop123',
  'qwertyuiop[]',
  'password1234',
  'password12345',
  'passwordpassword',
  'administrator',
  'changeme1234',
  'letmein12345',
  'welcome12345',
  'iloveyou1234',
  'qwerty123456',
  'abcdefghijkl',
  'abcd12345678',
  'unbelievable',
  'correcthorsebatterystaple',
]);

/** Throws `weak_password` unless the password is long, has some variety, and neither is common nor holds the address's name. */
export function assertStrongPassword(password: string, email: string): void {
  const length = Array.from(password).length;
  if (length < MIN_LENGTH || length > MAX_LENGTH) throw new AppError('weak_password');
  const lower = password.toLowerCase();
  const [name = ''] = email.toLowerCase().split('@', 1);
  const isGuessable =
    COMMON.has(lower) || new Set(lower).size < MIN_DISTINCT || (name.length >= 4 && lower.includes(name));
  if (!isGuessable) return;
  throw new AppError('weak_password', {
    detail: 'This password is easy to guess. Choose one without your name, repetitions or common words.',
  });
}
