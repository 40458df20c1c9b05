import { describe, expect, test } from 'vitest';
import type { Membership } from '../../../core/members/authority.ts';
import { Authority, permissionsIn, workspacePermissions } from '../../../core/members/authority.ts';

const here = { id: 'ws_here', owner: 'own_one' };
const beside = { id: 'ws_beside', owner: 'own_one' };
const elsewhere = { id: 'ws_else', owner: 'own_two' };
const proof = { proof: 'password', provenAt: null, ownerId: null };

const member = (role: Membership['role'], workspaceIds: readonly string[] | null): Membership => ({
  ownerId: 'own_one',
  role,
  workspaceIds,
  requiresProvider: false,
});
const person = (memberships: readonly Membership[], isOperator = false) => ({
  person: { id: 'per_ada', name: 'Ada', isOperator },
  memberships,
});
const ada = (role: Membership['role'], workspaceIds: readonly string[] | null = null) =>
  Authority.session(person([member(role, workspaceIds)]), proof, here);

describe('the authority of a caller', () => {
  test('names the person by their id, and the operator’s token by none', () => {
    expect(ada('owner').actor).toEqual({ id: 'per_ada', name: 'Ada' });
    expect(Authority.operator(here).actor).toEqual({ id: null, name: 'operator' });
  });

  test('covers a second object only in workspaces where the same right holds', () => {
    const owner = ada('owner');
    expect(owner.may('channels:write', beside)).toBe(true);
    expect(owner.may('channels:write', elsewhere)).toBe(false);
    expect(ada('agent').may('channels:write', beside)).toBe(false);
    expect(ada('owner', [here.id]).may('channels:write', beside)).toBe(false);
    expect(Authority.operator(here).may('channels:write', elsewhere)).toBe(true);
  });

  test('reaches all of an owner only with a role in all its workspaces', () => {
    expect(ada('owner').forOwner('people:write').scope).toMatchObject({ kind: 'owner', ownerId: 'own_one' });
    expect(Authority.operator(here).forOwner('people:write').actor.name).toBe('operator');
    for (const limited of [ada('owner', [here.id]), ada('owner', [here.id, beside.id]), ada('agent')]) {
      expect(() => limited.forOwner('people:write')).toThrow('some of its workspaces only');
    }
    expect(ada('agent').forOwner('people:read').actor.id).toBe('per_ada');
    expect(() => ada('agent', [here.id]).forOwner('people:read')).toThrow();
  });

  test('does not exist in a workspace without a role there', () => {
    for (const workspace of [beside, elsewhere]) {
      const limited = person([member('owner', [here.id])]);
      expect(() => Authority.session(limited, proof, workspace)).toThrow(
        expect.objectContaining({ code: 'workspace_not_found' }),
      );
    }
  });

  test('of an operator who is no member shows that a workspace works, and makes nobody a member', () => {
    const granted = permissionsIn(person([], true), here);
    expect(granted).toEqual(workspacePermissions(['operator']));
    expect(granted).not.toContain('people:write');
    expect(() => Authority.session(person([], true), proof, here).forOwner('people:write')).toThrow();
  });

  test('of an operator who is a member has what both roles include', () => {
    const both = permissionsIn(person([member('agent', [here.id])], true), here);
    expect(both).toContain('inbox:reply');
    expect(both).toContain('audit:read');
    expect(both).not.toContain('people:write');
  });
});
