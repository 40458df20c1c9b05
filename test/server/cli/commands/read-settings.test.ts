import { describe, expect, test } from 'vitest';
import { parseSetting } from '../../../../server/cli/commands/workspace.ts';

describe('parseSetting', () => {
  test.each([
    ['description=true', { description: 'true' }],
    ['nlweb_enabled=true', { nlweb_enabled: true }],
    ['retention_days=30', { retention_days: 30 }],
    ['audiences=staff, partners', { audiences: ['staff', 'partners'] }],
    ['skills=["collect_lead"]', { skills: ['collect_lead'] }],
    ['sla={"resolution_minutes":60}', { sla: { resolution_minutes: 60 } }],
    ['description=a=b', { description: 'a=b' }],
    ['fallback_message=null', { fallback_message: null }],
  ])('parses %s according to the type of the setting', (given, expected) => {
    expect(parseSetting(given)).toEqual(expected);
  });

  test('merges repeated settings', () => {
    expect(parseSetting('strictness=strict', parseSetting('model=x'))).toEqual({
      model: 'x',
      strictness: 'strict',
    });
  });

  test.each([
    ['nlweb', /Use the form key=value\. The keys are nlweb_enabled/],
    ['colour=red', /The keys are nlweb_enabled/],
    ['toString=1', /The keys are nlweb_enabled/],
    ['retention_days=soon', /retention_days cannot be "soon"/],
  ])('rejects %s', (given, message) => {
    expect(() => parseSetting(given)).toThrow(message);
  });
});
