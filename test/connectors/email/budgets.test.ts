import { expect, test } from 'vitest';
import { budgets } from '../../../connectors/email/deliver.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';

const to = { lane: 'a', address: {} };

test('a mailbox sends thirty mails a minute, or as many as the settings allow', () => {
  expect(budgets(to, emailAccount())).toEqual([{ key: 'all', everyMs: 2_000, burst: 10 }]);
  expect(budgets(to, emailAccount({ settings: { sends_per_minute: 1 } }))).toEqual([
    { key: 'all', everyMs: 60_000, burst: 1 },
  ]);
  expect(() => emailAccount({ settings: { sends_per_minute: 0 } })).toThrow();
});
