import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../../core/base/error-catalogue.ts';
import {
  defaultKeyScopes,
  keyScopes,
  toKeyReach,
  toKeyScopes,
} from '../../../../core/workspaces/keys/key-scopes.ts';
import { keyPermissions } from '../../../../server/plugins/key-permissions.ts';

test('scopes come back once each, in their order, without those that nobody knows', () => {
  expect(toKeyScopes(['usage:read', 'query', 'usage:read', 'everything'])).toEqual(['query', 'usage:read']);
  expect(toKeyScopes(keyScopes)).toEqual(keyScopes);
});

test('a reach that nobody knows counts as the narrow one', () => {
  expect(['owner', 'own', 'galaxy'].map(toKeyReach)).toEqual(['owner', 'own', 'own']);
});

test('the error of an unknown scope lists all of them', () => {
  for (const scope of keyScopes) expect(errorCatalogue.invalid_scopes.text).toContain(scope);
});

test('the scopes of older keys open nothing of the operator', () => {
  expect(defaultKeyScopes.flatMap((scope) => keyPermissions[scope])).toEqual([]);
});

test('no scope opens members, settings, credentials of channels, logs or the installation', () => {
  const given = new Set(Object.values(keyPermissions).flat());
  expect([...given].sort()).toEqual(
    [
      ...['customers:write', 'developers:read', 'developers:write', 'inbox:reply'],
      ...['knowledge:read', 'knowledge:write', 'usage:read'],
    ].sort(),
  );
});
