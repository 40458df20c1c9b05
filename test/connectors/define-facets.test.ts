import { expect, test } from 'vitest';
import { defineFacets } from '../../connectors/define-connector.ts';
import type { Facets } from '../../core/contract/facets.ts';

const never = () => {
  throw new TypeError('not called here');
};

/** A new facet does not compile here until it is listed. */
const every: Required<Facets<unknown, unknown>> = {
  streaming: { everyMs: 1, applies: never, begin: never, show: never, end: never, discard: never },
  window: { lastsMs: 1, reason: '', appliesTo: never, renderTemplate: never, isTimeless: never },
  tenancy: { tenantOf: never, appCredentials: [], oauth: null },
  hasInbox: true,
  guideValues: never,
  prepare: never,
  welcome: never,
  fetchThreadContext: never,
  fetchSenderProfile: never,
  fetchFile: never,
  files: 'shown',
  findSent: never,
  acknowledge: never,
  staleAfterMs: never,
  outcome: { afterMs: 1, ask: never },
  typing: { lastsMs: 1, show: never },
  startConversation: never,
  sendMail: never,
  registerWebhook: never,
  unregisterWebhook: never,
};

test('wraps every facet that a connector has', () => {
  const defined = defineFacets(every, never);
  expect(Object.keys(defined).toSorted()).toEqual(Object.keys(every).toSorted());
});

test('adds no facet that a connector does not have', () => {
  expect(defineFacets({}, never)).toEqual({});
});
