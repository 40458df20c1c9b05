import { describe, expect, test } from 'vitest';
import { checks } from '../../../helpers/sources/walk/checks.ts';
import { moreTools } from '../../../helpers/sources/walk/more-worlds.ts';
import { notion } from '../../../helpers/sources/walk/notion-world.ts';
import { sameKind } from '../../../helpers/sources/walk/tool-world.ts';
import { walkedTools } from '../../../helpers/sources/walk/worlds.ts';

describe.each([...walkedTools, notion, ...moreTools])('$name keeps what every tool guarantees', (tool) => {
  const world = tool.open(sameKind);

  for (const check of checks) {
    if (check.isFor?.(world) === false) continue;
    test(check.name, () => expect(check.run(tool, sameKind)).resolves.toBeUndefined());
  }
});
