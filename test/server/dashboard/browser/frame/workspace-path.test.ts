import { expect, test } from 'vitest';
import { pathInWorkspace } from '../../../../../server/dashboard/browser/frame/workspace-path.ts';

test.each([
  ['/w/ws_a/settings/answers', '/w/ws_b/settings/answers'],
  ['/w/ws_a/knowledge/documents/doc_4f2', '/w/ws_b/knowledge/documents'],
  ['/w/ws_a/knowledge/sources/src_1/page', '/w/ws_b/knowledge/sources'],
  ['/w/ws_a/inbox/conv_9', '/w/ws_b/inbox'],
  ['/w/ws_a/channels/new/telegram', '/w/ws_b/channels/new/telegram'],
  ['/w/ws_a', '/w/ws_b/inbox'],
  ['/me', '/w/ws_b/inbox'],
])('%s leads to %s in the other workspace', (from, to) => {
  expect(pathInWorkspace(from, 'ws_b', 'inbox')).toBe(to);
});
